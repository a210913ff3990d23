-- Reads all live entries, the owner of the lease and the formats that the cluster writes, at the same moment.
--
-- KEYS  1 processes (hash)   2 expiry times, ms (sorted set)   3 lease (hash)   4 formats (hash)
-- ARGV  1 level of formats that the cluster writes, as far as the caller knows   2 first version that understands it
-- Returns  {owner of the lease or false, {process id, entry, …}, level that the cluster writes, its first version}
-- @include _formats.lua
-- @include _expired.lua
local level, version = formats(KEYS[4], ARGV[1], ARGV[2])
removeExpired(KEYS[1], KEYS[2])
return { redis.call('HGET', KEYS[3], 'owner'), redis.call('HGETALL', KEYS[1]), level, version }
