// Generated from the Lua files of this folder by `npm run generate`. Do not edit.
export const enterTicks = `-- Tells a new master which tick of a job was started last, and keeps its predecessors from starting another.
--
-- KEYS  1 record of the job (hash: tick, term, run)
-- ARGV  1 now, ms: from when on ticks count if none is known   2 term of the master
-- Returns  the tick   false when a later term has been here
local now, term = ARGV[1], ARGV[2]

local record = redis.call('HMGET', KEYS[1], 'tick', 'term')
if record[2] and tonumber(record[2]) > tonumber(term) then
  return false
end
redis.call('HSET', KEYS[1], 'term', term)
if not record[1] then
  redis.call('HSET', KEYS[1], 'tick', now)
  return now
end
return record[1]
`;

export const startTick = `-- Records the start of a tick, so that no process starts it again.
--
-- KEYS  1 record of the job (hash: tick, term, run)
-- ARGV  1 tick: scheduled time, ms   2 term of the master   3 run: unique for each start, the same when repeated
-- Returns  1 recorded   0 this tick or a later one was started before   -1 a later term has been here
local tick, term, run = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]

local record = redis.call('HMGET', KEYS[1], 'tick', 'term', 'run')
if record[2] and tonumber(record[2]) > term then
  return -1
end
if record[1] and tonumber(record[1]) >= tick then
  -- The reply to the first attempt was lost.
  return tonumber(record[1]) == tick and record[3] == run and 1 or 0
end
redis.call('HSET', KEYS[1], 'tick', ARGV[1], 'term', ARGV[2], 'run', run)
return 1
`;
