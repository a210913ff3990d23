-- Ends the ownership of a partition whose owner starts nothing more. The process that the master has named becomes the
-- owner; without one the partition has no owner.
-- KEYS[1] owner record
-- ARGV[1] process and ARGV[2] epoch of the caller
-- ARGV[3] what the next owner finds: released, no entry has been started; unfinished, some entries may have been started
-- ARGV[4] channel on which to say so
-- Returns 1 done, -1 the caller is not the owner (any more)
local record = KEYS[1]
local process, epoch, rest, channel = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local state = redis.call('HMGET', record, 'process', 'epoch', 'next', 'nextEpoch')
if state[1] ~= process or state[2] ~= epoch then return -1 end
if state[3] and state[4] then
  redis.call('HSET', record, 'process', state[3], 'epoch', state[4], 'origin', rest)
else
  redis.call('HSET', record, 'process', '', 'origin', rest)
end
redis.call('HDEL', record, 'next', 'nextEpoch', 'acknowledged')
redis.call('PUBLISH', channel, 'released')
return 1
