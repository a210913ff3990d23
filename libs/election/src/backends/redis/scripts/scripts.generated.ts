// Generated from the Lua files of this folder by `npm run generate`. Do not edit.
export const acquire = `-- Takes the lease if nobody holds it. Repeated by the same owner (a reply was lost), it confirms the same term.
--
-- KEYS  1 lease (hash: owner, term, seq, mode)   2 master   3 heartbeat   4 term
-- ARGV  1 owner, unique for each campaign        2 candidate id, for the documented view
--       3 time to live, ms                       4 floor: the highest term the candidate has seen
--       5 quiet time after a restart, seconds    6 channel for news     7 mode
-- Returns  {1, owner, term, ttl}      held by the caller
--          {0, owner, term, ttl}      held by somebody else; ttl in ms, -1 without one
--          {-1, wait}                 the server started too short a while ago; wait in ms
local owner, candidate, ttl = ARGV[1], ARGV[2], tonumber(ARGV[3])
local floor, quiet = tonumber(ARGV[4]), tonumber(ARGV[5])
local channel, mode = ARGV[6], ARGV[7]

local record = redis.call('HMGET', KEYS[1], 'owner', 'term')
if record[1] and record[1] ~= owner then
  return { 0, record[1], record[2], redis.call('PTTL', KEYS[1]) }
end

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local term = record[2]
if not term then
  -- A leader from before a restart that lost data may still believe in its lease.
  local uptime = tonumber(string.match(redis.call('INFO', 'server'), 'uptime_in_seconds:(%d+)'))
  if uptime < quiet then
    return { -1, (quiet - uptime) * 1000 }
  end
  local stored = tonumber(redis.call('GET', KEYS[4]) or '0')
  term = string.format('%.0f', math.max(stored + 1, floor + 1, now))
  redis.call('SET', KEYS[4], term)
  redis.call('HSET', KEYS[1], 'owner', owner, 'term', term, 'seq', 0, 'mode', mode)
end
redis.call('HINCRBY', KEYS[1], 'seq', 1)
redis.call('PEXPIRE', KEYS[1], ttl)
redis.call('SET', KEYS[2], candidate, 'PX', ttl)
redis.call('SET', KEYS[3], string.format('%.0f', now), 'PX', ttl)
if not record[2] then
  redis.call('PUBLISH', channel, '{"term":' .. term .. ',"owner":' .. cjson.encode(owner) .. ',"reason":"acquired"}')
end
return { 1, owner, term, ttl }
`;

export const look = `-- Reads the lease.
--
-- KEYS  1 lease   2 term
-- Returns  {owner, term, ttl, seq, mode}   held; ttl in ms, -1 without one
--          {false, term}                   held by nobody; term is the last one, or false
local record = redis.call('HMGET', KEYS[1], 'owner', 'term', 'seq', 'mode')
if not record[1] then
  return { false, redis.call('GET', KEYS[2]) }
end
return { record[1], record[2], redis.call('PTTL', KEYS[1]), record[3], record[4] }
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
redis.call('PUBLISH', channel, '{"term":' .. record[2] .. ',"owner":' .. cjson.encode(owner) .. ',"reason":"released"}')
return 1
`;

export const renew = `-- Extends the lease of its owner.
--
-- KEYS  1 lease   2 master   3 heartbeat
-- ARGV  1 owner   2 term     3 candidate id   4 time to live, ms
-- Returns  {1, owner, term, ttl}      extended
--          {0, owner, term, ttl}      held by somebody else
--          {0}                        held by nobody
local owner, term, candidate, ttl = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

local record = redis.call('HMGET', KEYS[1], 'owner', 'term')
if not record[1] then
  return { 0 }
end
if record[1] ~= owner or record[2] ~= term then
  return { 0, record[1], record[2], redis.call('PTTL', KEYS[1]) }
end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('HINCRBY', KEYS[1], 'seq', 1)
redis.call('PEXPIRE', KEYS[1], ttl)
redis.call('SET', KEYS[2], candidate, 'PX', ttl)
redis.call('SET', KEYS[3], string.format('%.0f', now), 'PX', ttl)
return { 1, owner, term, ttl }
`;
