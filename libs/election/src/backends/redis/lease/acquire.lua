-- Takes the lease if it is free, or if the caller found its holder absent and the holder is still absent.
-- If the same owner repeats the call because a reply was lost, the script confirms the same term.
--
-- KEYS  1 lease (hash: owner, term, seq, mode, validity, change)   2 master   3 heartbeat   4 term   5 validity
-- ARGV  1 owner, unique for each claim           2 candidate id, for the documented view
--       3 time to live, ms                       4 floor: the highest term the candidate has seen
--       5 channel for news                       6 prefix of presence channels
--       7 subcommand that counts listeners, '' when the candidate does not want to be replaced on absence
--       8 how long the owner may act without a confirmation in mode `lease`, ms by the fastest clock   9 in mode `presence`
--       10 owner   11 term   12 seq of the absent holder, '' for none
--       13 how long ago the owner claimed for the first time, ms, 0 when this is it
--       14 run id of a server that the candidate has seen, '' for none   15 for how long it has seen it, ms
--       16 how long the holder of the term `floor` may act, ms by the fastest clock, 0 when the candidate does not know
--       17 the longest that such a time may be, ms
-- Returns  {1, owner, term, mode, listeners}               held by the caller
--          {0, owner, term, mode, seq, listeners, ttl, validity}   held by another owner; ttl in ms, -1 without one
--          {-1, wait, run id}                              the server started too short a while ago; wait in ms
-- @include _listeners.lua
-- @include _presence.lua
-- @include _server.lua
-- @include _validity.lua
-- @include _extend.lua
-- @include _readable.lua
local owner, candidate, ttl, floor = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local channel, prefix, count = ARGV[5], ARGV[6], ARGV[7]
local validity = { lease = tonumber(ARGV[8]), presence = tonumber(ARGV[9]) }
local absentOwner, absentTerm, absentSeq, claimedFor = ARGV[10], ARGV[11], ARGV[12], tonumber(ARGV[13])
local seenRun, seenFor = ARGV[14], tonumber(ARGV[15])
local seenValidity, longest = tonumber(ARGV[16]), tonumber(ARGV[17])

makeReadable(math.max(ttl, lastValidity(KEYS[5], longest) or 0))
local record = redis.call('HMGET', KEYS[1], 'owner', 'term', 'mode', 'seq', 'validity')
if record[1] and record[1] ~= owner then
  local present = listeners(count, presenceOf(prefix, record[1]))
  local replaceable = record[3] == 'presence'
    and present == 0
    and record[1] == absentOwner
    and record[2] == absentTerm
    and record[4] == absentSeq
  if not replaceable then
    return { 0, record[1], record[2], record[3], record[4], present, redis.call('PTTL', KEYS[1]), record[5] }
  end
end

local now = serverTime()
local term, mode = record[2], record[3]
-- A restart that lost the last writes may have brought back a claim that others have succeeded: its term is too low.
local new = record[1] ~= owner or startedWithin(claimedFor)
local seen = listeners(count, presenceOf(prefix, owner))
if new then
  mode = seen > 0 and 'presence' or 'lease'
  -- A leader from before a restart that lost data may still believe in its lease. What the candidate has seen counts unless the server
  -- knows of a later lease, or that this one was released.
  local stored = written(redis.pcall('GET', KEYS[4])) or 0
  local last = lastValidity(KEYS[5], longest)
  local known = (stored < floor or (last and stored == floor)) and seenValidity or 0
  local bar = math.max(validity[mode], last or 0, known)
  local wait, run = quietFor(math.ceil(bar / 1000) + 1, seenRun, seenFor)
  if wait > 0 then
    -- For candidates that have not seen it.
    if known > (last or 0) then
      redis.call('SET', KEYS[5], known)
    end
    return { -1, wait, run }
  end
  term = string.format('%.0f', math.max(stored + 1, floor + 1, now))
  redis.call('SET', KEYS[4], term)
  redis.call('SET', KEYS[5], validity[mode])
  redis.call(
    'HSET', KEYS[1],
    'owner', owner, 'term', term, 'seq', 0, 'mode', mode, 'validity', validity[mode], 'change', 0
  )
end
extend(candidate, ttl, now)
if new then
  -- Without the right to publish, others find out when they look.
  redis.pcall('PUBLISH', channel, '{"term":' .. term .. ',"owner":' .. cjson.encode(owner) .. ',"reason":"acquired"}')
end
return { 1, owner, term, mode, seen }
