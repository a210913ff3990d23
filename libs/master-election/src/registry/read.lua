-- Reads all live entries, and the owner of the lease at the same moment.
--
-- KEYS  1 processes (hash)   2 expiry times, ms (sorted set)   3 lease (hash)
-- Returns  {owner of the lease or false, {process id, entry, …}}
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
for _, expired in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)) do
  redis.call('HDEL', KEYS[1], expired)
  redis.call('ZREM', KEYS[2], expired)
end
return { redis.call('HGET', KEYS[3], 'owner'), redis.call('HGETALL', KEYS[1]) }
