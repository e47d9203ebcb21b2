-- Claim names: each that is free, or whose answer is a fault of ours that sending again may mend.
--
-- KEYS: a hash for each name
-- ARGV: 1 seconds that a claim stands; then for each name its fingerprint, its turn, and the item that would be pending
-- Returns for each name false if it is claimed now, else {fingerprint, answer or ''}.

local found = {}
for place, key in ipairs(KEYS) do
  local fingerprint, turn, item = unpack(ARGV, 3 * place - 1, 3 * place + 1)
  local standing = redis.call('HMGET', key, 'fingerprint', 'answer', 'retryable', 'turn')
  local is_sent_again = standing[4] == turn
  local gives_way = standing[1] == fingerprint and standing[3] == '1'
  if is_sent_again and not standing[2] then
    found[place] = false
  elseif standing[1] and not gives_way then
    found[place] = {standing[1], standing[2] or ''}
  else
    redis.call('DEL', key)
    redis.call('HSET', key, 'fingerprint', fingerprint, 'turn', turn, 'item', item)
    redis.call('EXPIRE', key, ARGV[1])
    found[place] = false
  end
end
return found
