-- Takes the lease when it is free and not kept for another candidate, or renews it for its owner.
--
-- KEYS  1 lease (hash)
-- ARGV  1 owner, unique for each claim   2 candidate id           3 time to live, ms
--       4 floor: the highest term the candidate has seen          5 channel for news
--       6 quiet time after a restart of the server, s
-- Returns  {owner, leader, term, remaining, successor} as it is then
--          {-1, wait}                                     the server started too short a while ago; wait in ms
-- @include _lease.lua
local owner, candidate, ttl, floor = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local channel, quiet = ARGV[5], tonumber(ARGV[6])

local now = serverTime()
local lease = readLease()
if lease.owner == owner then
  lease.till = now + ttl
  writeLease(lease)
  return viewOf(lease, now)
end
local kept = lease.till > now and not (lease.owner == '' and lease.successor == candidate)
if kept then
  return viewOf(lease, now)
end
-- A leader from before a restart that lost data may still believe in its lease.
local uptime = tonumber(string.match(redis.call('INFO', 'server'), 'uptime_in_seconds:(%d+)'))
if uptime < quiet then
  return { -1, (quiet - uptime) * 1000 }
end
lease.term = math.max(lease.term + 1, floor + 1, now)
lease.owner, lease.leader, lease.successor, lease.till = owner, candidate, '', now + ttl
writeLease(lease)
announce(channel, lease)
return viewOf(lease, now)
