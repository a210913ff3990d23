-- Releases the work, so that another process can take it. Keeps the term, so that the next one is higher.
--
-- KEYS  1 record of the work (hash)
-- ARGV  1 owner
-- Returns  1 released   0 this owner did not hold it
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then
  return 0
end
redis.call('HDEL', KEYS[1], 'owner', 'until', 'ttl')
return 1
