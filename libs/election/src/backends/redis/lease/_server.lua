-- Milliseconds on the server's clock.
local function serverTime()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- Seconds since the server started, up to one too many or too few: the difference of two moments in whole seconds. Negative when
-- its clock was set back. The second result is the id of this run of the server.
local function uptime()
  local info = redis.call('INFO', 'server')
  local seconds = tonumber(string.match(info, 'uptime_in_seconds:(-?%d+)')) or 0
  return seconds, string.match(info, 'run_id:(%w+)') or ''
end

-- Milliseconds until the server has been up for `quiet` seconds, 0 or less from then on; and the id of its run. The caller has seen
-- the run `runId` for `seenFor` milliseconds, which counts when the server's clock was set back.
local function quietFor(quiet, runId, seenFor)
  local seconds, current = uptime()
  seconds = math.max(seconds, 0)
  if current ~= '' and current == runId then
    seconds = math.max(seconds, math.floor(seenFor / 1000))
  end
  return (quiet - seconds) * 1000, current
end

-- Whether the server may have started less than `ms` milliseconds ago; never for 0.
local function startedWithin(ms)
  return ms > 0 and (uptime() - 1) * 1000 < ms
end
