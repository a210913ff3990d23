-- Raises the level of formats that the cluster writes, if all registered processes understand it at this moment.
--
-- KEYS  1 processes (hash)   2 expiry times, ms (sorted set)   3 formats (hash: level, version, term)
-- ARGV  1 term of the master 2 level   3 first version that understands it
-- Returns  1 raised   0 a process understands less, or the level is not higher   -1 a later term has raised it
-- @include _expired.lua
local term, level, version = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]

local stored = redis.call('HMGET', KEYS[3], 'level', 'term')
if (tonumber(stored[2]) or 0) > term then
  return -1
end
removeExpired(KEYS[1], KEYS[2])
local entries = redis.call('HGETALL', KEYS[1])
for i = 2, #entries, 2 do
  local readable, value = pcall(cjson.decode, entries[i])
  if readable and type(value) == 'table' and (tonumber(value.formatLevel) or 1) < level then
    return 0
  end
end
if (tonumber(stored[1]) or 1) >= level then
  return 0
end
redis.call('HSET', KEYS[3], 'level', level, 'version', version, 'term', ARGV[1])
return 1
