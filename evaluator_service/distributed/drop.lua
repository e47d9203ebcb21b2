-- Forget names. What is done is gone; what is under way is for the process that has it judged to withdraw, since others
-- may wait for the same run there. Where that process is no more, it is nobody's.
--
-- KEYS: 1 pending items, 2 API processes; then a hash for each name
-- ARGV: 1 the process that asks, and needs no telling, 2 how the lists of answers to processes begin, 3 their seconds
-- Returns under how many of them there was something.

local function withdraw(item)
  local api = item:match('^[^.]*')
  if api == ARGV[1] then return end
  if redis.call('ZSCORE', KEYS[2], api) then
    redis.call('RPUSH', ARGV[2] .. api, item)
    redis.call('EXPIRE', ARGV[2] .. api, ARGV[3])
  else
    redis.call('ZREM', KEYS[1], item)
  end
end

local dropped = 0
for place = 3, #KEYS do
  local item, answer = unpack(redis.call('HMGET', KEYS[place], 'item', 'answer'))
  if item and not answer then withdraw(item) end
  dropped = dropped + redis.call('DEL', KEYS[place])
end
return dropped
