// Generated from the Lua files of this folder by `npm run generate`. Do not edit.
export const acquire = `-- Takes the lease if nobody holds it, or if its holder is the one that the caller has found to be absent and still is.
-- Repeated by the same owner (a reply was lost), it confirms the same term.
--
-- KEYS  1 lease (hash: owner, term, seq, mode)   2 master   3 heartbeat   4 term
-- ARGV  1 owner, unique for each claim           2 candidate id, for the documented view
--       3 time to live, ms                       4 floor: the highest term the candidate has seen
--       5 channel for news                       6 prefix of presence channels
--       7 subcommand that counts listeners, '' when the candidate does not want to be replaced on absence
--       8 quiet time after a restart, s, for mode \`lease\`   9 for mode \`presence\`
--       10 owner   11 term   12 seq of the holder that is absent, '' for none
--       13 how long ago the owner claimed for the first time, ms, 0 when this is it
-- Returns  {1, owner, term, mode, listeners}               held by the caller
--          {0, owner, term, mode, seq, listeners, ttl}     held by somebody else; ttl in ms, -1 without one
--          {-1, wait}                                      the server started too short a while ago; wait in ms
-- How many connections listen to a channel; -1 when that cannot be told (a proxy, restricted rights, not asked for).
-- \`count\` is the subcommand that knows: NUMSUB, on a cluster SHARDNUMSUB, '' for none.
local function listeners(count, channel)
  if count == '' then
    return -1
  end
  local reply = redis.pcall('PUBSUB', count, channel)
  if type(reply) ~= 'table' or reply.err or not reply[2] then
    return -1
  end
  return tonumber(reply[2])
end
-- The channel to which the process behind an owner, \`<candidate id>:<number of the claim>\`, listens while it lives.
local function presenceOf(prefix, owner)
  return prefix .. (string.match(owner, '^(.*):[^:]*$') or owner)
end
-- Milliseconds on the server's clock.
local function serverTime()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- Seconds since the server started, up to one too many or too few: the difference of two moments in whole seconds.
local function uptime()
  return tonumber(string.match(redis.call('INFO', 'server'), 'uptime_in_seconds:(%d+)'))
end

-- Milliseconds until the server has been up for \`quiet\` seconds; 0 or less from then on.
local function quietFor(quiet)
  return (quiet - uptime()) * 1000
end

-- Whether the server may have started less than \`ms\` milliseconds ago; never for 0.
local function startedWithin(ms)
  return ms > 0 and (uptime() - 1) * 1000 < ms
end
-- Extends the record in KEYS[1], and in KEYS[2] and KEYS[3] the documented view of it.
local function extend(candidate, ttl, now)
  redis.call('HINCRBY', KEYS[1], 'seq', 1)
  redis.call('PEXPIRE', KEYS[1], ttl)
  redis.call('SET', KEYS[2], candidate, 'PX', ttl)
  redis.call('SET', KEYS[3], string.format('%.0f', now), 'PX', ttl)
end
local owner, candidate, ttl, floor = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local channel, prefix, count = ARGV[5], ARGV[6], ARGV[7]
local quiet = { lease = tonumber(ARGV[8]), presence = tonumber(ARGV[9]) }
local absentOwner, absentTerm, absentSeq, claimedFor = ARGV[10], ARGV[11], ARGV[12], tonumber(ARGV[13])

local record = redis.call('HMGET', KEYS[1], 'owner', 'term', 'mode', 'seq')
if record[1] and record[1] ~= owner then
  local present = listeners(count, presenceOf(prefix, record[1]))
  local replaceable = record[3] == 'presence'
    and present == 0
    and record[1] == absentOwner
    and record[2] == absentTerm
    and record[4] == absentSeq
  if not replaceable then
    return { 0, record[1], record[2], record[3], record[4], present, redis.call('PTTL', KEYS[1]) }
  end
end

local now = serverTime()
local term, mode = record[2], record[3]
-- A restart that lost the last writes may have brought back a claim that others have succeeded: its term is too low.
local new = record[1] ~= owner or startedWithin(claimedFor)
local seen = listeners(count, presenceOf(prefix, owner))
if new then
  mode = seen > 0 and 'presence' or 'lease'
  -- A leader from before a restart that lost data may still believe in its lease.
  local wait = quietFor(quiet[mode])
  if wait > 0 then
    return { -1, wait }
  end
  local stored = tonumber(redis.call('GET', KEYS[4]) or '0')
  term = string.format('%.0f', math.max(stored + 1, floor + 1, now))
  redis.call('SET', KEYS[4], term)
  redis.call('HSET', KEYS[1], 'owner', owner, 'term', term, 'seq', 0, 'mode', mode)
end
extend(candidate, ttl, now)
if new then
  -- Without the right to publish, others find out when they look.
  redis.pcall('PUBLISH', channel, '{"term":' .. term .. ',"owner":' .. cjson.encode(owner) .. ',"reason":"acquired"}')
end
return { 1, owner, term, mode, seen }
`;

export const confirm = `-- Confirms and extends the lease of its owner, if the owner's process can be seen where that is what its lease rests on.
--
-- KEYS  1 lease   2 master   3 heartbeat
-- ARGV  1 owner   2 term     3 candidate id   4 time to live, ms
--       5 prefix of presence channels         6 subcommand that counts listeners, '' for none
--       7 mode to change to, '' for none
--       8 how long ago the last confirmation was sent, ms, 0 when nobody else can have led since
-- Returns  {1, owner, term, mode, listeners}             confirmed
--          {0, owner, term, mode, seq, listeners, ttl}   held by somebody else
--          {0}                                           held by nobody
--          {2}                                           the owner's process is not seen; nothing was extended
--          {-1, 0}                                       the server has restarted since the last confirmation
-- How many connections listen to a channel; -1 when that cannot be told (a proxy, restricted rights, not asked for).
-- \`count\` is the subcommand that knows: NUMSUB, on a cluster SHARDNUMSUB, '' for none.
local function listeners(count, channel)
  if count == '' then
    return -1
  end
  local reply = redis.pcall('PUBSUB', count, channel)
  if type(reply) ~= 'table' or reply.err or not reply[2] then
    return -1
  end
  return tonumber(reply[2])
end
-- The channel to which the process behind an owner, \`<candidate id>:<number of the claim>\`, listens while it lives.
local function presenceOf(prefix, owner)
  return prefix .. (string.match(owner, '^(.*):[^:]*$') or owner)
end
-- Milliseconds on the server's clock.
local function serverTime()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- Seconds since the server started, up to one too many or too few: the difference of two moments in whole seconds.
local function uptime()
  return tonumber(string.match(redis.call('INFO', 'server'), 'uptime_in_seconds:(%d+)'))
end

-- Milliseconds until the server has been up for \`quiet\` seconds; 0 or less from then on.
local function quietFor(quiet)
  return (quiet - uptime()) * 1000
end

-- Whether the server may have started less than \`ms\` milliseconds ago; never for 0.
local function startedWithin(ms)
  return ms > 0 and (uptime() - 1) * 1000 < ms
end
-- Extends the record in KEYS[1], and in KEYS[2] and KEYS[3] the documented view of it.
local function extend(candidate, ttl, now)
  redis.call('HINCRBY', KEYS[1], 'seq', 1)
  redis.call('PEXPIRE', KEYS[1], ttl)
  redis.call('SET', KEYS[2], candidate, 'PX', ttl)
  redis.call('SET', KEYS[3], string.format('%.0f', now), 'PX', ttl)
end
local owner, term, candidate, ttl = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local prefix, count, wanted, lapsedFor = ARGV[5], ARGV[6], ARGV[7], tonumber(ARGV[8])

local record = redis.call('HMGET', KEYS[1], 'owner', 'term', 'mode', 'seq')
if not record[1] then
  return { 0 }
end
if record[1] ~= owner or record[2] ~= term then
  local present = listeners(count, presenceOf(prefix, record[1]))
  return { 0, record[1], record[2], record[3], record[4], present, redis.call('PTTL', KEYS[1]) }
end
-- A restart that lost the last writes may have brought back a leader that was replaced: its term is too low.
if startedWithin(lapsedFor) then
  return { -1, 0 }
end
local mode = wanted ~= '' and wanted or record[3]
local seen = listeners(count, presenceOf(prefix, owner))
if mode == 'presence' and seen < 1 then
  return { 2 }
end
if mode ~= record[3] then
  redis.call('HSET', KEYS[1], 'mode', mode)
end
extend(candidate, ttl, serverTime())
return { 1, owner, term, mode, seen }
`;

export const look = `-- Reads the lease, and whether its holder's process can be seen.
--
-- KEYS  1 lease   2 term
-- ARGV  1 prefix of presence channels   2 subcommand that counts listeners, '' for none
-- Returns  {0, owner, term, mode, seq, listeners, ttl}   held; listeners -1 when unknown; ttl in ms, -1 without one
--          {0, false, term}                              held by nobody; term is the last one, or false
-- How many connections listen to a channel; -1 when that cannot be told (a proxy, restricted rights, not asked for).
-- \`count\` is the subcommand that knows: NUMSUB, on a cluster SHARDNUMSUB, '' for none.
local function listeners(count, channel)
  if count == '' then
    return -1
  end
  local reply = redis.pcall('PUBSUB', count, channel)
  if type(reply) ~= 'table' or reply.err or not reply[2] then
    return -1
  end
  return tonumber(reply[2])
end
-- The channel to which the process behind an owner, \`<candidate id>:<number of the claim>\`, listens while it lives.
local function presenceOf(prefix, owner)
  return prefix .. (string.match(owner, '^(.*):[^:]*$') or owner)
end
local prefix, count = ARGV[1], ARGV[2]

local record = redis.call('HMGET', KEYS[1], 'owner', 'term', 'mode', 'seq')
if not record[1] then
  return { 0, false, redis.call('GET', KEYS[2]) }
end
local present = listeners(count, presenceOf(prefix, record[1]))
return { 0, record[1], record[2], record[3], record[4], present, redis.call('PTTL', KEYS[1]) }
`;

export const release = `-- Ends the lease of its owner and tells everybody. The term stays, so that the next one is above it.
--
-- KEYS  1 lease   2 master   3 heartbeat
-- ARGV  1 owner   2 channel for news
-- Returns  1 released   0 not held by the caller
local owner, channel = ARGV[1], ARGV[2]

local record = redis.call('HMGET', KEYS[1], 'owner', 'term')
if record[1] ~= owner then
  return 0
end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
-- Without the right to publish, others find out when they look.
redis.pcall('PUBLISH', channel, '{"term":' .. record[2] .. ',"owner":' .. cjson.encode(owner) .. ',"reason":"released"}')
return 1
`;
