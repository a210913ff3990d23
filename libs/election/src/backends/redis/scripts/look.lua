-- Reads the lease.
--
-- KEYS  1 lease   2 term
-- Returns  {owner, term, ttl, seq, mode}   held; ttl in ms, -1 without one
--          {false, term}                   held by nobody; term is the last one, or false
local record = redis.call('HMGET', KEYS[1], 'owner', 'term', 'seq', 'mode')
if not record[1] then
  return { false, redis.call('GET', KEYS[2]) }
end
return { record[1], record[2], redis.call('PTTL', KEYS[1]), record[3], record[4] }
