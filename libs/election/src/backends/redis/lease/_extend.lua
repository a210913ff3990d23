-- Extends the record in KEYS[1], and in KEYS[2] and KEYS[3] the documented view of it.
local function extend(candidate, ttl, now)
  redis.call('HINCRBY', KEYS[1], 'seq', 1)
  redis.call('PEXPIRE', KEYS[1], ttl)
  redis.call('SET', KEYS[2], candidate, 'PX', ttl)
  redis.call('SET', KEYS[3], string.format('%.0f', now), 'PX', ttl)
end
