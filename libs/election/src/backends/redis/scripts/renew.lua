-- Extends the lease of its owner.
--
-- KEYS  1 lease   2 master   3 heartbeat
-- ARGV  1 owner   2 term     3 candidate id   4 time to live, ms
-- Returns  {1, owner, term, ttl}      extended
--          {0, owner, term, ttl}      held by somebody else
--          {0}                        held by nobody
local owner, term, candidate, ttl = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

local record = redis.call('HMGET', KEYS[1], 'owner', 'term')
if not record[1] then
  return { 0 }
end
if record[1] ~= owner or record[2] ~= term then
  return { 0, record[1], record[2], redis.call('PTTL', KEYS[1]) }
end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('HINCRBY', KEYS[1], 'seq', 1)
redis.call('PEXPIRE', KEYS[1], ttl)
redis.call('SET', KEYS[2], candidate, 'PX', ttl)
redis.call('SET', KEYS[3], string.format('%.0f', now), 'PX', ttl)
return { 1, owner, term, ttl }
