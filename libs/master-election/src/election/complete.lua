-- Records that the work is done. Only its owner can do so. Safe to repeat.
--
-- KEYS  1 record of the work (hash: a lease, and the time when the work was done)
-- ARGV  1 owner   2 term   3 owner of work that is done
-- Returns  1 recorded   0 another process has taken the work
local owner, term, done = ARGV[1], ARGV[2], ARGV[3]

-- The lease of work that is done ends then. Milliseconds; exact in a double.
local NEVER = '9000000000000000'

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
local now = time[1] .. string.format('%03d', math.floor(tonumber(time[2]) / 1000))
redis.call('HSET', KEYS[1], 'done', now, 'owner', done, 'leader', '', 'until', NEVER, 'ttl', 0)
return 1
