-- Lets somebody else take the work. The term stays, so that the next one is above it.
--
-- KEYS  1 record of the work (hash)
-- ARGV  1 owner
-- Returns  1 released   0 it was not held by this owner
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then
  return 0
end
redis.call('HDEL', KEYS[1], 'owner', 'until')
return 1
