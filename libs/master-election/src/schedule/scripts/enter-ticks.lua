-- Tells a new master which tick of a job was started last, and keeps its predecessors from starting another.
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
