-- Milliseconds on the server's clock.
local function serverTime()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- Seconds since the server started, up to one too many or too few: the difference of two moments in whole seconds.
local function uptime()
  return tonumber(string.match(redis.call('INFO', 'server'), 'uptime_in_seconds:(%d+)'))
end

-- Milliseconds until the server has been up for `quiet` seconds; 0 or less from then on.
local function quietFor(quiet)
  return (quiet - uptime()) * 1000
end

-- Whether the server may have started less than `ms` milliseconds ago; never for 0.
local function startedWithin(ms)
  return ms > 0 and (uptime() - 1) * 1000 < ms
end
