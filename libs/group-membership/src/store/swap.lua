-- Stores a record if the stored one has not changed since the caller read it.
-- KEYS[1] record
-- ARGV[1] expected text, '' for none  ARGV[2] next text
-- Returns 1 if it was stored, else 0.
local key = KEYS[1]
local expected, next = ARGV[1], ARGV[2]
local stored = redis.call('GET', key) or ''
if stored ~= expected then
  return 0
end
redis.call('SET', key, next)
return 1
