-- Keep the answer to a claim, if the claim stands and has none: the first wins.
--
-- KEYS: 1 the hash of the name
-- ARGV: 1 turn of the claim, 2 answer, 3 whether sending again may mend it ('1'), 4 milliseconds to keep it
-- Returns the answer that stands there then; nil if that claim stands no more.

if redis.call('HGET', KEYS[1], 'turn') ~= ARGV[1] then return false end
if redis.call('HSETNX', KEYS[1], 'answer', ARGV[2]) == 1 then
  redis.call('HSET', KEYS[1], 'retryable', ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
end
return redis.call('HGET', KEYS[1], 'answer')
