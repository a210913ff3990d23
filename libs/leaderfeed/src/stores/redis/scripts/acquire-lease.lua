-- Takes the lease if it is free and not reserved for another candidate, or renews it for its owner.
--
-- KEYS  1 lease (hash)
-- ARGV  1 owner, unique for each claim   2 candidate id           3 time to live, ms
--       4 floor: the highest term the candidate has seen          5 channel for news
--       6 quiet time after a restart of the server, s
--       7 time since the owner's first claim, ms, 0 if this is the first
--       8 run id of a server that the candidate has seen, '' for none   9 time since it first saw that server, ms
-- Returns  {owner, leader, term, remaining, successor} as it is then
--          {-1, wait, run id}                             the server started too recently; wait in ms
-- @include _lease.lua
local owner, candidate, ttl, floor = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local channel, quiet, claimedFor = ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
local seenRun, seenFor = ARGV[8], tonumber(ARGV[9])

local now = serverTime()
local lease = readLease()
-- A restart that lost the last writes may have brought back a claim that others have succeeded: its term is too low.
if lease.owner == owner and not startedWithin(claimedFor) then
  lease.till = now + ttl
  writeLease(lease)
  return viewOf(lease, now)
end
local kept = lease.owner ~= owner
  and lease.till > now
  and not (lease.owner == '' and lease.successor == candidate)
if kept then
  return viewOf(lease, now)
end
-- A leader from before a restart that lost data may still believe in its lease.
local wait, run = quietFor(quiet, seenRun, seenFor)
if wait > 0 then
  return { -1, wait, run }
end
lease.term = math.max(lease.term + 1, floor + 1, now)
lease.owner, lease.leader, lease.successor, lease.till = owner, candidate, '', now + ttl
writeLease(lease)
announce(channel, lease)
return viewOf(lease, now)
