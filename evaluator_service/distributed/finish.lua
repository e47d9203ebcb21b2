-- Answer items: each once, by whoever takes it off the pending ones; the rest came too late and is dropped.
--
-- KEYS: 1 pending items
-- ARGV: 1 seconds that a reply list lives, 2 milliseconds that answers are kept under names,
--       3 the hash of those to be given again, 4 its seconds, 5 how many it holds;
--       then for each item: its key, the reply list, the answer,
--       the hash of the name it is kept under ('' none) and the turn of its claim, whether sending again may mend it,
--       and its identity ('' if it is not to be given again)
-- Returns how many were answered.

local function keep(key, turn, answer, retryable)  -- as keep.lua does
  if redis.call('HGET', key, 'turn') == turn and redis.call('HSETNX', key, 'answer', answer) == 1 then
    redis.call('HSET', key, 'retryable', retryable)
    redis.call('PEXPIRE', key, ARGV[2])
  end
end

local function remember(identity, answer)
  if redis.call('HLEN', ARGV[3]) >= tonumber(ARGV[5]) then
    redis.call('HDEL', ARGV[3], redis.call('HRANDFIELD', ARGV[3]))
  end
  redis.call('HSET', ARGV[3], identity, answer)
end

local answered, again = 0, false
for i = 6, #ARGV, 7 do
  local item, replies, answer, kept, turn, retryable, identity = unpack(ARGV, i, i + 6)
  if redis.call('ZREM', KEYS[1], item) == 1 then
    if kept ~= '' then keep(kept, turn, answer, retryable) end
    if identity ~= '' then
      remember(identity, answer)
      again = true
    end
    redis.call('RPUSH', replies, answer)
    redis.call('EXPIRE', replies, ARGV[1])
    answered = answered + 1
  end
end
if again then redis.call('EXPIRE', ARGV[3], ARGV[4]) end
return answered
