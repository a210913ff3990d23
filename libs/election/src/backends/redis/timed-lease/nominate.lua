-- Nominates a candidate for the lease: the holder steps down when it renews; a free lease is reserved for the candidate for
-- `ttl` ms. Nominating the holder withdraws an earlier nomination.
--
-- KEYS  1 lease (hash)
-- ARGV  1 candidate id   2 time to live, ms   3 channel for news
-- @include _lease.lua
local candidate, ttl, channel = ARGV[1], tonumber(ARGV[2]), ARGV[3]

local now = serverTime()
local lease = readLease()
local held = lease.owner ~= '' and lease.till > now
lease.successor = held and lease.leader == candidate and '' or candidate
if not held then
  lease.owner, lease.leader, lease.till = '', '', now + ttl
end
writeLease(lease)
announce(channel, lease)
