// Generated from the Lua files of this folder by `npm run generate`. Do not edit.
export const acquireLease = `-- Takes the lease when it is free and not kept for another candidate, or renews it for its owner.
--
-- KEYS  1 lease (hash)
-- ARGV  1 owner, unique for each claim   2 candidate id           3 time to live, ms
--       4 floor: the highest term the candidate has seen          5 channel for news
--       6 quiet time after a restart of the server, s
-- Returns  {owner, leader, term, remaining, successor} as it is then
--          {-1, wait}                                     the server started too short a while ago; wait in ms
-- The lease in KEYS[1], a hash of owner, leader, term, successor and until (ms of the server's clock); '' stands for nobody.
local function readLease()
  local stored = redis.call('HMGET', KEYS[1], 'owner', 'leader', 'term', 'successor', 'until')
  return {
    owner = stored[1] or '',
    leader = stored[2] or '',
    term = tonumber(stored[3] or '0'),
    successor = stored[4] or '',
    till = tonumber(stored[5] or '0'),
  }
end

local function writeLease(lease)
  redis.call(
    'HSET', KEYS[1],
    'owner', lease.owner,
    'leader', lease.leader,
    'term', string.format('%.0f', lease.term),
    'successor', lease.successor,
    'until', string.format('%.0f', lease.till)
  )
end

-- Milliseconds on the server's clock.
local function serverTime()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- What a script returns of it: owner, leader, term, ms that are left, successor.
local function viewOf(lease, now)
  local remaining = math.max(0, lease.till - now)
  local owner = remaining > 0 and lease.owner or ''
  return {
    owner,
    owner == '' and '' or lease.leader,
    string.format('%.0f', lease.term),
    remaining,
    lease.successor,
  }
end

-- Without the right to publish, others find out when they look.
local function announce(channel, lease)
  redis.pcall('PUBLISH', channel, '{"lease":' .. string.format('%.0f', lease.term) .. '}')
end
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
`;

export const nominateSuccessor = `-- Has the lease handed to a candidate: its holder makes way when it renews; a free lease is kept for it for \`ttl\` ms. Nominating
-- the holder takes a nomination back.
--
-- KEYS  1 lease (hash)
-- ARGV  1 candidate id   2 time to live, ms   3 channel for news
-- The lease in KEYS[1], a hash of owner, leader, term, successor and until (ms of the server's clock); '' stands for nobody.
local function readLease()
  local stored = redis.call('HMGET', KEYS[1], 'owner', 'leader', 'term', 'successor', 'until')
  return {
    owner = stored[1] or '',
    leader = stored[2] or '',
    term = tonumber(stored[3] or '0'),
    successor = stored[4] or '',
    till = tonumber(stored[5] or '0'),
  }
end

local function writeLease(lease)
  redis.call(
    'HSET', KEYS[1],
    'owner', lease.owner,
    'leader', lease.leader,
    'term', string.format('%.0f', lease.term),
    'successor', lease.successor,
    'until', string.format('%.0f', lease.till)
  )
end

-- Milliseconds on the server's clock.
local function serverTime()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- What a script returns of it: owner, leader, term, ms that are left, successor.
local function viewOf(lease, now)
  local remaining = math.max(0, lease.till - now)
  local owner = remaining > 0 and lease.owner or ''
  return {
    owner,
    owner == '' and '' or lease.leader,
    string.format('%.0f', lease.term),
    remaining,
    lease.successor,
  }
end

-- Without the right to publish, others find out when they look.
local function announce(channel, lease)
  redis.pcall('PUBLISH', channel, '{"lease":' .. string.format('%.0f', lease.term) .. '}')
end
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
`;

export const publishRecord = `-- Tells everybody who leads, with the time of the server. Nothing is kept.
--
-- KEYS  none
-- ARGV  1 channel   2 leader, '' for nobody   3 id of the writer   4 kind   5 number of the election
-- Returns  how many heard it
local channel, leader, by, kind, election = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local time = redis.call('TIME')
local at = string.format('%.3f', tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000)
local record = '{"leader":' .. (leader == '' and 'null' or cjson.encode(leader))
  .. ',"by":' .. cjson.encode(by)
  .. ',"kind":' .. cjson.encode(kind)
  .. ',"election":' .. election
  .. ',"at":' .. at .. '}'
return redis.call('PUBLISH', channel, record)
`;

export const releaseLease = `-- Ends the lease of its owner and tells everybody. Whoever was nominated has \`ttl\` ms to take it before anyone else may.
--
-- KEYS  1 lease (hash)
-- ARGV  1 owner   2 time to live, ms   3 channel for news
-- Returns  1 released   0 not held by the caller
-- The lease in KEYS[1], a hash of owner, leader, term, successor and until (ms of the server's clock); '' stands for nobody.
local function readLease()
  local stored = redis.call('HMGET', KEYS[1], 'owner', 'leader', 'term', 'successor', 'until')
  return {
    owner = stored[1] or '',
    leader = stored[2] or '',
    term = tonumber(stored[3] or '0'),
    successor = stored[4] or '',
    till = tonumber(stored[5] or '0'),
  }
end

local function writeLease(lease)
  redis.call(
    'HSET', KEYS[1],
    'owner', lease.owner,
    'leader', lease.leader,
    'term', string.format('%.0f', lease.term),
    'successor', lease.successor,
    'until', string.format('%.0f', lease.till)
  )
end

-- Milliseconds on the server's clock.
local function serverTime()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- What a script returns of it: owner, leader, term, ms that are left, successor.
local function viewOf(lease, now)
  local remaining = math.max(0, lease.till - now)
  local owner = remaining > 0 and lease.owner or ''
  return {
    owner,
    owner == '' and '' or lease.leader,
    string.format('%.0f', lease.term),
    remaining,
    lease.successor,
  }
end

-- Without the right to publish, others find out when they look.
local function announce(channel, lease)
  redis.pcall('PUBLISH', channel, '{"lease":' .. string.format('%.0f', lease.term) .. '}')
end
local owner, ttl, channel = ARGV[1], tonumber(ARGV[2]), ARGV[3]

local now = serverTime()
local lease = readLease()
if lease.owner ~= owner then
  return 0
end
lease.owner, lease.leader = '', ''
lease.till = lease.successor ~= '' and now + ttl or 0
writeLease(lease)
announce(channel, lease)
return 1
`;

export const renewLease = `-- Renews the lease for its owner; for anybody else it is a look.
--
-- KEYS  1 lease (hash)
-- ARGV  1 owner   2 time to live, ms
-- Returns  {owner, leader, term, remaining, successor} as it is then
-- The lease in KEYS[1], a hash of owner, leader, term, successor and until (ms of the server's clock); '' stands for nobody.
local function readLease()
  local stored = redis.call('HMGET', KEYS[1], 'owner', 'leader', 'term', 'successor', 'until')
  return {
    owner = stored[1] or '',
    leader = stored[2] or '',
    term = tonumber(stored[3] or '0'),
    successor = stored[4] or '',
    till = tonumber(stored[5] or '0'),
  }
end

local function writeLease(lease)
  redis.call(
    'HSET', KEYS[1],
    'owner', lease.owner,
    'leader', lease.leader,
    'term', string.format('%.0f', lease.term),
    'successor', lease.successor,
    'until', string.format('%.0f', lease.till)
  )
end

-- Milliseconds on the server's clock.
local function serverTime()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- What a script returns of it: owner, leader, term, ms that are left, successor.
local function viewOf(lease, now)
  local remaining = math.max(0, lease.till - now)
  local owner = remaining > 0 and lease.owner or ''
  return {
    owner,
    owner == '' and '' or lease.leader,
    string.format('%.0f', lease.term),
    remaining,
    lease.successor,
  }
end

-- Without the right to publish, others find out when they look.
local function announce(channel, lease)
  redis.pcall('PUBLISH', channel, '{"lease":' .. string.format('%.0f', lease.term) .. '}')
end
local owner, ttl = ARGV[1], tonumber(ARGV[2])

local now = serverTime()
local lease = readLease()
if owner ~= '' and lease.owner == owner then
  lease.till = now + ttl
  writeLease(lease)
end
return viewOf(lease, now)
`;
