-- Confirms and extends the lease of its owner. If the lease rests on presence, the owner's process must be present.
--
-- KEYS  1 lease   2 master   3 heartbeat   4 validity
-- ARGV  1 owner   2 term     3 candidate id   4 time to live, ms
--       5 prefix of presence channels         6 subcommand that counts listeners, '' for none
--       7 mode to change to, '' for none      8 number of that change, which rises with each change that the owner asks for
--       9 how long ago the last confirmation was sent, ms, 0 when no other candidate can have led since
--       10 how long the owner may act without a confirmation in the mode to change to, ms by the fastest clock, 0 for none
-- Returns  {1, owner, term, mode, listeners}             confirmed
--          {0, owner, term, mode, seq, listeners, ttl, validity}   held by another owner
--          {0}                                           not held
--          {2}                                           the owner's process is not seen; nothing was extended
--          {-1, 0, ''}                                     the server has restarted since the last confirmation
-- @include _listeners.lua
-- @include _presence.lua
-- @include _server.lua
-- @include _extend.lua
-- @include _readable.lua
local owner, term, candidate, ttl = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local prefix, count, wanted, change, lapsedFor = ARGV[5], ARGV[6], ARGV[7], tonumber(ARGV[8]), tonumber(ARGV[9])

makeReadable(ttl)
local record = redis.call('HMGET', KEYS[1], 'owner', 'term', 'mode', 'seq', 'change', 'validity')
if not record[1] then
  return { 0 }
end
if record[1] ~= owner or record[2] ~= term then
  local present = listeners(count, presenceOf(prefix, record[1]))
  return { 0, record[1], record[2], record[3], record[4], present, redis.call('PTTL', KEYS[1]), record[6] }
end
-- A restart that lost the last writes may have brought back a leader that was replaced: its term is too low.
if startedWithin(lapsedFor) then
  return { -1, 0, '' }
end
-- A change that arrives after a later one was given up by its owner, which acts accordingly.
local changes = wanted ~= '' and change > (tonumber(record[5]) or 0)
local mode = changes and wanted or record[3]
local seen = listeners(count, presenceOf(prefix, owner))
if mode == 'presence' and seen < 1 then
  return { 2 }
end
if changes then
  redis.call('HSET', KEYS[1], 'mode', mode, 'validity', ARGV[10], 'change', change)
  redis.call('SET', KEYS[4], ARGV[10])
end
extend(candidate, ttl, serverTime())
return { 1, owner, term, mode, seen }
