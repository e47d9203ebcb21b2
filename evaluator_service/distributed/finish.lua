-- Answer items: each once, by whoever takes it off the pending ones; the rest came too late and is dropped.
--
-- KEYS: 1 pending items
-- ARGV: 1 seconds that a reply list lives, 2 seconds that answers are kept under names,
--       3 the hash of those to be given again, 4 its seconds, 5 how many it holds;
--       then for each item: its key, the reply list, the answer,
--       where it is kept ('' nowhere), and its identity ('' if it is not to be given again)
-- Returns how many were answered.

local answered, again = 0, false
for i = 6, #ARGV, 5 do
  local key, replies, answer, result, identity = unpack(ARGV, i, i + 4)
  if redis.call('ZREM', KEYS[1], key) == 1 then
    if result ~= '' then redis.call('SET', result, answer, 'NX', 'EX', ARGV[2]) end
    if identity ~= '' then
      if redis.call('HLEN', ARGV[3]) >= tonumber(ARGV[5]) then
        redis.call('HDEL', ARGV[3], redis.call('HRANDFIELD', ARGV[3]))
      end
      redis.call('HSET', ARGV[3], identity, answer)
      again = true
    end
    redis.call('RPUSH', replies, answer)
    redis.call('EXPIRE', replies, ARGV[1])
    answered = answered + 1
  end
end
if again then redis.call('EXPIRE', ARGV[3], ARGV[4]) end
return answered
