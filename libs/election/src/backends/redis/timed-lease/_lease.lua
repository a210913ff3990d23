-- @include ../lease/_server.lua
-- The lease in KEYS[1], a hash of owner, leader, term, successor, until (ms of the server's clock) and ttl (how long it lasts without
-- renewal, as its holder has said, ms; 0 when it was released); '' means none.
local function readLease()
  local stored = redis.call('HMGET', KEYS[1], 'owner', 'leader', 'term', 'successor', 'until', 'ttl')
  local ttl = tonumber(stored[6] or '')
  return {
    owner = stored[1] or '',
    leader = stored[2] or '',
    term = tonumber(stored[3] or '0'),
    successor = stored[4] or '',
    till = tonumber(stored[5] or '0'),
    -- A garbled value is none, or some very long time.
    ttl = ttl and ttl >= 1 and math.min(ttl, 1e12) or 0,
  }
end

local function writeLease(lease)
  redis.call(
    'HSET', KEYS[1],
    'owner', lease.owner,
    'leader', lease.leader,
    'term', string.format('%.0f', lease.term),
    'successor', lease.successor,
    'until', string.format('%.0f', lease.till),
    'ttl', string.format('%.0f', lease.ttl)
  )
end

-- The lease as scripts return it: owner, leader, term, remaining ms, successor, ttl.
local function viewOf(lease, now)
  local remaining = math.max(0, lease.till - now)
  local owner = remaining > 0 and lease.owner or ''
  return {
    owner,
    owner == '' and '' or lease.leader,
    string.format('%.0f', lease.term),
    remaining,
    lease.successor,
    lease.ttl,
  }
end

-- Without the right to publish, other candidates find out when they read the lease. A channel of '' is none.
local function announce(channel, lease)
  if channel ~= '' then
    redis.pcall('PUBLISH', channel, '{"lease":' .. string.format('%.0f', lease.term) .. '}')
  end
end
