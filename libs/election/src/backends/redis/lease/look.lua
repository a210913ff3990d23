-- Reads the lease, and whether its holder's process can be seen.
--
-- KEYS  1 lease   2 term
-- ARGV  1 prefix of presence channels   2 subcommand that counts listeners, '' for none
-- Returns  {0, owner, term, mode, seq, listeners, ttl, validity}   held; listeners -1 when unknown; ttl in ms, -1 without one;
--                                     validity: how long the owner may act without a confirmation, ms by the fastest clock
--          {0, false, term}                              not held; term is the last one, or 0
-- @include _listeners.lua
-- @include _presence.lua
-- @include _readable.lua
local prefix, count = ARGV[1], ARGV[2]

-- The next candidate that tries to acquire an unreadable lease repairs it.
local record = isReadable() and redis.call('HMGET', KEYS[1], 'owner', 'term', 'mode', 'seq', 'validity') or {}
if not record[1] then
  return { 0, false, string.format('%.0f', written(redis.pcall('GET', KEYS[2])) or 0) }
end
local present = listeners(count, presenceOf(prefix, record[1]))
return { 0, record[1], record[2], record[3], record[4], present, redis.call('PTTL', KEYS[1]), record[5] }
