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

local function remember(known)  -- {identity, answer, identity, answer, ...}
  local excess = redis.call('HLEN', ARGV[3]) + #known / 2 - tonumber(ARGV[5])
  if excess > 0 then
    local dropped = redis.call('HRANDFIELD', ARGV[3], excess)
    if #dropped > 0 then redis.call('HDEL', ARGV[3], unpack(dropped)) end
  end
  redis.call('HSET', ARGV[3], unpack(known))
  redis.call('EXPIRE', ARGV[3], ARGV[4])
end

local count, lists, known = 0, {}, {}
for i = 6, #ARGV, 7 do
  local item, replies, answer, kept, turn, retryable, identity = unpack(ARGV, i, i + 6)
  if redis.call('ZREM', KEYS[1], item) == 1 then
    if kept ~= '' then keep(kept, turn, answer, retryable) end
    if identity ~= '' then
      known[#known + 1], known[#known + 2] = identity, answer
    end
    local answers = lists[replies] or {}
    answers[#answers + 1], lists[replies] = answer, answers
    count = count + 1
  end
end
if #known > 0 then remember(known) end
for replies, answers in pairs(lists) do
  redis.call('RPUSH', replies, unpack(answers))
  redis.call('EXPIRE', replies, ARGV[1])
end
return count
