-- Tells a new master which tick of a job was started last. Keeps its predecessors from starting another.
--
-- KEYS  1 record of the job (hash: tick, term, run)
-- ARGV  1 term of the master
-- Returns  {tick, time of the server}; if no tick is known, the tick is that time   false if a later term has used the record
-- @include _time.lua
local term = ARGV[1]

local record = redis.call('HMGET', KEYS[1], 'tick', 'term')
if record[2] and tonumber(record[2]) > tonumber(term) then
  return false
end
local now = serverTime()
local tick = record[1]
redis.call('HSET', KEYS[1], 'term', term)
if not tick or tonumber(tick) > now + FAR_AHEAD then
  tick = string.format('%.0f', now)
  redis.call('HSET', KEYS[1], 'tick', tick)
end
return { tick, string.format('%.0f', now) }
