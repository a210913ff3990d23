-- Moves the entries of a dead process to the new owners of their workers, oldest first, a limited number per call.
-- Each entry is copied and deleted in the same call, so whoever continues after a crash repeats nothing.
-- KEYS[1] stream of the dead process
-- KEYS[2] fence: the highest term that has written
-- KEYS[3] sorted set of the processes that have a stream; the score rises each time one gets entries here
-- KEYS[4] hash of interests
-- KEYS[5] hash of the interests that the master has seen
-- KEYS[6] hash of dropped entries per process
-- KEYS[7..] streams of the new owners
-- ARGV[1] term
-- ARGV[2] id of the dead process
-- ARGV[3] most entries to look at
-- ARGV[4] number, from 1, of the new owner of workers that are not listed
-- ARGV[5..] per new owner: its id; then per worker: URL, number of its new owner
-- Returns {code, moved, listener entries discarded, highest sequence of this term in the owners' streams or 0, number of the
--   owner without stream or 0}
--   code 1: there is more; code 2: all moved, the dead process is forgotten
--   code -1: a new owner has no stream, the entries from there on were left; code -2: a later term has written
local source, fence_key, streams, interests, seen, dropped = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local term, process, limit, default_owner = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local OWNERS, IDS = 6, 4
local WORKERS = IDS + 1 + #KEYS - OWNERS

local fence = tonumber(redis.call('GET', fence_key) or '0')
if fence > tonumber(term) then return { -2, 0, 0, 0, 0 } end
if fence < tonumber(term) then redis.call('SET', fence_key, term) end

local owner_of = {}
for at = WORKERS, #ARGV, 2 do owner_of[ARGV[at]] = tonumber(ARGV[at + 1]) end

-- @include _last-sequence.lua
-- @include _routing-of.lua

-- Asked of every owner, also of those that get nothing: an earlier call may have written whose reply was lost, and the
-- master must not use its ids again.
local last, highest = {}, 0
for owner = 1, #KEYS - OWNERS do
  last[owner] = last_sequence(KEYS[OWNERS + owner], term)
  if last[owner] == LATER_TERM then return { -2, 0, 0, 0, 0 } end
  if last[owner] and last[owner] > highest then highest = last[owner] end
end

local moved, discarded, heirs = 0, 0, {}
local entries = redis.call('XRANGE', source, '-', '+', 'COUNT', limit)
for _, entry in ipairs(entries) do
  local id, fields = entry[1], entry[2]
  local worker, audience = routing_of(fields)
  local copy = {}
  for i = 1, #fields, 2 do
    if fields[i] ~= 'for' and fields[i] ~= 'redelivered' then
      copy[#copy + 1] = fields[i]
      copy[#copy + 1] = fields[i + 1]
    end
  end
  if audience == 'listener' then
    discarded = discarded + 1
  else
    local owner = owner_of[worker] or default_owner
    if not last[owner] then return { -1, moved, discarded, highest, owner } end
    last[owner] = last[owner] + 1
    if last[owner] > highest then highest = last[owner] end
    for _, value in ipairs({ 'for', 'owner', 'redelivered', '1' }) do copy[#copy + 1] = value end
    redis.call(
      'XADD', KEYS[OWNERS + owner], 'NOMKSTREAM', term .. '-' .. string.format('%.0f', last[owner]), unpack(copy)
    )
    moved = moved + 1
    heirs[owner] = true
  end
  redis.call('XDEL', source, id)
end

-- What an heir has got of a process is older than what that process still has: should both be gone, the heir goes first.
local latest = redis.call('ZREVRANGE', streams, 0, 0, 'WITHSCORES')[2] or 0
for owner in pairs(heirs) do redis.call('ZADD', streams, latest + 1, ARGV[IDS + owner]) end

if #entries == limit then return { 1, moved, discarded, highest, 0 } end
redis.call('DEL', source)
redis.call('ZREM', streams, process)
redis.call('HDEL', interests, process)
redis.call('HDEL', seen, process)
redis.call('HDEL', dropped, process)
return { 2, moved, discarded, highest, 0 }
