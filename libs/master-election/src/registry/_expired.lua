-- Removes expired entries, on servers that do not expire single fields themselves. Returns the present time, ms.
local function removeExpired(processes, expiry)
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  for _, expired in ipairs(redis.call('ZRANGEBYSCORE', expiry, '-inf', now)) do
    redis.call('HDEL', processes, expired)
    redis.call('ZREM', expiry, expired)
  end
  return now
end
