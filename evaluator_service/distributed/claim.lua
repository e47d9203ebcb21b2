-- Claim names: each that is free, whose answer is a fault of ours that sending again may mend, or whose work is lost.
--
-- KEYS: 1 pending items; then a hash for each name
-- ARGV: 1 milliseconds that a claim stands, 2 now, 3 seconds in which what is claimed comes to be pending (both seconds);
--       then for each name its fingerprint, its turn, and the item that would be pending
-- Returns for each name false if it is claimed now, else {fingerprint, answer or ''}.

local now, grace = tonumber(ARGV[2]), tonumber(ARGV[3])

-- under way, but nothing is: Redis lost its last second, and the process that would notice is gone, too
local function is_lost(answer, item, since)
  return not answer and now - tonumber(since or 0) > grace and not redis.call('ZSCORE', KEYS[1], item or '')
end

local found = {}
for place = 2, #KEYS do
  local key = KEYS[place]
  local fingerprint, turn, item = unpack(ARGV, 3 * place - 2, 3 * place)
  local was = redis.call('HMGET', key, 'fingerprint', 'answer', 'retryable', 'turn', 'item', 'since')
  local is_sent_again = was[4] == turn and not was[2]
  local gives_way = was[1] == fingerprint and (was[3] == '1' or is_lost(was[2], was[5], was[6]))
  if was[1] and not gives_way and not is_sent_again then
    found[place - 1] = {was[1], was[2] or ''}
  else
    redis.call('DEL', key)
    redis.call('HSET', key, 'fingerprint', fingerprint, 'turn', turn, 'item', item, 'since', ARGV[2])
    redis.call('PEXPIRE', key, ARGV[1])
    found[place - 1] = false
  end
end
return found
