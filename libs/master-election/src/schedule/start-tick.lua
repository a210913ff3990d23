-- Records the start of a tick, so that no process starts it again.
--
-- KEYS  1 record of the job (hash: tick, term, run)
-- ARGV  1 tick: scheduled time, ms   2 term of the master   3 run: unique for each start, the same in a retry
-- Returns  {code, time of the server}
--   1 recorded   0 this tick or a later one was started before   -1 a later term has used the record   -2 not due yet
-- @include _time.lua
local tick, term, run = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]

local now = serverTime()
local function answer(code)
  return { code, string.format('%.0f', now) }
end

local record = redis.call('HMGET', KEYS[1], 'tick', 'term', 'run')
if record[2] and tonumber(record[2]) > term then
  return answer(-1)
end
if tick > now + TOLERANCE then
  return answer(-2)
end
local last = record[1] and tonumber(record[1])
if last and last >= tick and last <= now + FAR_AHEAD then
  -- The reply to the first attempt was lost.
  return answer(last == tick and record[3] == run and 1 or 0)
end
redis.call('HSET', KEYS[1], 'tick', ARGV[1], 'term', ARGV[2], 'run', run)
return answer(1)
