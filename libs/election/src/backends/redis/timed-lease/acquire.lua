-- Takes the lease if it is free and not reserved for another candidate, or renews it for its owner.
--
-- KEYS  1 lease (hash)
-- ARGV  1 owner, unique for each claim   2 candidate id           3 time to live, ms
--       4 floor: the highest term the candidate has seen          5 channel for news
--       6 how long the lease of that term lasts without renewal, ms, 0 when the candidate does not know
--       7 time since the owner's first claim, ms, 0 if this is the first
--       8 the longest that a lease may last, ms
--       9 run id of a server that the candidate has seen, '' for none   10 time since it first saw that server, ms
-- Returns  {owner, leader, term, remaining, successor, ttl} as it is then
--          {-1, wait, run id}                             the server started too recently; wait in ms
-- @include _lease.lua
local owner, candidate, ttl, floor = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local channel, floorTtl, claimedFor = ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
local longest, seenRun, seenFor = tonumber(ARGV[8]), ARGV[9], tonumber(ARGV[10])

local now = serverTime()
local lease = readLease()
-- A restart that lost the last writes may have brought back a claim that others have succeeded: its term is too low.
if lease.owner == owner and not startedWithin(claimedFor) then
  lease.till, lease.ttl = now + ttl, ttl
  writeLease(lease)
  return viewOf(lease, now)
end
local kept = lease.owner ~= owner
  and lease.till > now
  and not (lease.owner == '' and lease.successor == candidate)
if kept then
  return viewOf(lease, now)
end
-- A leader from before a restart that lost data may still believe in its lease. What the candidate has seen counts unless the server
-- knows of a later lease, or that this one was released.
local last = lease.ttl <= longest and lease.ttl or 0
local known = (lease.term < floor or (last > 0 and lease.term == floor)) and floorTtl or 0
local quiet = math.ceil(math.max(ttl, last, known) / 1000) + 1
local wait, run = quietFor(quiet, seenRun, seenFor)
if wait > 0 then
  -- For candidates that have not seen it.
  if known > last then
    lease.ttl = known
    writeLease(lease)
  end
  return { -1, wait, run }
end
lease.term = math.max(lease.term + 1, floor + 1, now)
lease.owner, lease.leader, lease.successor, lease.till, lease.ttl = owner, candidate, '', now + ttl, ttl
writeLease(lease)
announce(channel, lease)
return viewOf(lease, now)
