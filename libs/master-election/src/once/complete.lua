-- Records that the work is done. Only its owner can do so. Safe to repeat.
--
-- KEYS  1 record of the work (hash)
-- ARGV  1 owner   2 term
-- Returns  1 recorded   0 another process has taken the work
local owner, term = ARGV[1], ARGV[2]

local record = redis.call('HMGET', KEYS[1], 'done', 'owner', 'term')
if record[3] ~= term then
  return 0
end
if record[1] then
  return 1
end
if record[2] ~= owner then
  return 0
end
local time = redis.call('TIME')
redis.call('HSET', KEYS[1], 'done', time[1] .. string.format('%03d', math.floor(tonumber(time[2]) / 1000)))
redis.call('HDEL', KEYS[1], 'owner', 'until', 'ttl')
return 1
