-- Take items and enqueue their chunks: all of it or nothing, in one step, so that nothing can be half admitted.
--
-- KEYS: 1 pending items, 2 RQ's queue, 3 the last urgent chunk
-- ARGV: 1 most items, 2 now (seconds), 3 seconds that problems are kept, 4 whether the chunks are urgent,
--       5.. MessagePack of: keys of items, keys of problems, ids of chunks, commands that store jobs and chunks
-- Returns {'taken', items now}, {'full', items now} or {'missing', places of problems that are not stored}.

local limit, now, keep_seconds, urgent = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4] == '1'
local items, problems = cmsgpack.unpack(ARGV[5]), cmsgpack.unpack(ARGV[6])
local chunks, commands = cmsgpack.unpack(ARGV[7]), cmsgpack.unpack(ARGV[8])

-- sent once more, since the answer was lost on its way: it was taken then
if redis.call('ZSCORE', KEYS[1], items[1]) then
  return {'taken', redis.call('ZCARD', KEYS[1])}
end

local missing = {'missing'}
for place, key in ipairs(problems) do
  if redis.call('EXPIRE', key, keep_seconds) == 0 then missing[#missing + 1] = place end
end
if #missing > 1 then return missing end

local count = redis.call('ZCARD', KEYS[1])
if count + #items > limit then return {'full', count} end

for start = 1, #items, 1000 do  -- more arguments than some thousands are too many for a call
  local added = {}
  for place = start, math.min(start + 999, #items) do
    added[#added + 1], added[#added + 2] = now, items[place]
  end
  redis.call('ZADD', KEYS[1], unpack(added))
end
for _, command in ipairs(commands) do redis.call(unpack(command)) end

-- urgent chunks go behind the urgent ones that wait, and before all others
local last = urgent and redis.call('GET', KEYS[3]) or false
for _, chunk in ipairs(chunks) do
  if not urgent then
    redis.call('RPUSH', KEYS[2], chunk)
  elseif last and redis.call('LINDEX', KEYS[2], -1) == last then
    redis.call('RPUSH', KEYS[2], chunk)
  elseif not last or redis.call('LINSERT', KEYS[2], 'AFTER', last, chunk) < 1 then
    redis.call('LPUSH', KEYS[2], chunk)
  end
  if urgent then last = chunk end
end
if urgent and last then redis.call('SET', KEYS[3], last) end
return {'taken', count + #items}
