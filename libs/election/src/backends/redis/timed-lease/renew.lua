-- Renews the lease for its owner; only reads it for other callers.
--
-- KEYS  1 lease (hash)
-- ARGV  1 owner   2 time to live, ms
-- Returns  {owner, leader, term, remaining, successor, ttl} as it is then
-- @include _lease.lua
local owner, ttl = ARGV[1], tonumber(ARGV[2])

local now = serverTime()
local lease = readLease()
if owner ~= '' and lease.owner == owner then
  lease.till, lease.ttl = now + ttl, ttl
  writeLease(lease)
end
return viewOf(lease, now)
