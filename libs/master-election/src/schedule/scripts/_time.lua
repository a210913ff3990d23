-- Milliseconds on the server's clock.
local function serverTime()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- A tick may be recorded so much before its time: clocks are compared over a network. Milliseconds.
local TOLERANCE = 1000

-- A record that is so far ahead was written before the server's clock was set back, and counts no more. Milliseconds.
local FAR_AHEAD = 60000
