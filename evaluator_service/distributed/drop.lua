-- Forget names: what is done is gone, what is under way is nobody's any more, whichever process waits for it.
--
-- KEYS: 1 pending items; then a hash for each name
-- Returns under how many of them there was something.

local dropped = 0
for place = 2, #KEYS do
  local item = redis.call('HGET', KEYS[place], 'item')
  if item then redis.call('ZREM', KEYS[1], item) end
  dropped = dropped + redis.call('DEL', KEYS[place])
end
return dropped
