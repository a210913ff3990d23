-- Ends the lease of its owner and publishes that. A nominated successor has `ttl` ms to take it before any other candidate may.
--
-- KEYS  1 lease (hash)
-- ARGV  1 owner   2 time to live, ms   3 channel for news
-- Returns  1 released   0 not held by the caller
-- @include _lease.lua
local owner, ttl, channel = ARGV[1], tonumber(ARGV[2]), ARGV[3]

local now = serverTime()
local lease = readLease()
if lease.owner ~= owner then
  return 0
end
lease.owner, lease.leader = '', ''
lease.till = lease.successor ~= '' and now + ttl or 0
lease.ttl = 0
writeLease(lease)
announce(channel, lease)
return 1
