-- Milliseconds on the server's clock.
local function serverTime()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- Milliseconds until the server has been up for `quiet` seconds; 0 or less from then on.
local function quietFor(quiet)
  local uptime = string.match(redis.call('INFO', 'server'), 'uptime_in_seconds:(%d+)')
  return (quiet - tonumber(uptime)) * 1000
end
