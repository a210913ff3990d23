-- Takes the work if it is neither done nor held, or extends the lease of its owner.
--
-- KEYS  1 record of the work (hash: done, or owner, until, ttl; term)
-- ARGV  1 owner, unique for each claim   2 length of the lease, ms   3 '1' to extend only, '' to take as well
--       4 the longest that a lease may be, ms
--       5 time since the first claim of the owner, ms; 0 for the first claim, or when it extends
--       6 run id of a server that the caller has seen, '' for none   7 how long it has seen it, ms
--       8 highest term that the caller has seen   9 length of the lease of that term, ms, 0 when the caller does not know
-- Returns  {2}                     done
--          {1, term}               held by the caller
--          {0, term, left, ttl, owner}   another process holds it for `left` ms more, 0 when not held; ttl is the length of its lease
--          {-1, wait, run id}      the server started too short a while ago; wait in ms
-- @include ../../../election/src/backends/redis/lease/_server.lua
local owner, ttl, extendOnly, longest = ARGV[1], tonumber(ARGV[2]), ARGV[3] == '1', tonumber(ARGV[4])
local floor, floorTtl = tonumber(ARGV[8]), tonumber(ARGV[9])

local record = redis.call('HMGET', KEYS[1], 'done', 'owner', 'until', 'term', 'ttl')
if record[1] then
  return { 2 }
end
local now = serverTime()
local term = record[4] or '0'
local last = tonumber(record[5] or '')
last = last and last >= 1 and last <= longest and last or 0
-- A restart that lost the last writes may have restored a claim that already had a successor.
local forgotten = record[2] == owner and startedWithin(tonumber(ARGV[5]))
if record[2] ~= owner or forgotten then
  local left = record[2] and not forgotten and tonumber(record[3]) - now or 0
  if left > 0 or extendOnly then
    return { 0, term, math.max(left, 0), last, record[2] or '' }
  end
  -- If the restart lost data, the process that held the claim before may still run the work. What the caller has seen counts unless the
  -- server knows of a later claim, or that this one was released.
  local stored = tonumber(term)
  local known = (stored < floor or (last > 0 and stored == floor)) and floorTtl or 0
  local quiet = math.ceil(math.max(ttl, last, known) / 1000) + 1
  local wait, run = quietFor(quiet, ARGV[6], tonumber(ARGV[7]))
  if wait > 0 then
    -- For processes that have not seen it.
    if known > last then
      redis.call('HSET', KEYS[1], 'ttl', known)
    end
    return { -1, wait, run }
  end
  term = string.format('%.0f', math.max(stored + 1, floor + 1, now))
end
redis.call('HSET', KEYS[1], 'owner', owner, 'term', term, 'until', string.format('%.0f', now + ttl), 'ttl', ttl)
return { 1, term }
