-- Writes a process's entry with an expiry time.
--
-- A server with HSETEX expires single fields itself. For other servers the scripts keep an index of expiry times in a sorted set, and
-- every script removes expired entries before it reads. After an upgrade of the server one hash can contain both kinds of fields.
--
-- KEYS  1 processes (hash)   2 expiry times, ms (sorted set)   3 lease (hash)   4 master_process (string)   5 formats (hash)
-- ARGV  1 process id         2 entry (JSON)                    3 time to live, s
--       4 candidate id: the entry is also written as the master's if this candidate holds the lease
--       5 boot id
--       6 prefix of presence channels: refuse when a live process of another boot id has this id; '' does not look
--       7 the entry that must still be stored, '' for any or none
--       8 subcommand of PUBSUB that counts listeners: NUMSUB, on a cluster SHARDNUMSUB
--       9 level of formats that the process understands
--      10 level of formats that the cluster writes, as far as the caller knows   11 first version that understands it
-- Returns  {1, level that the cluster writes, its first version, boot id of the entry before, or ''}   {0} the stored entry differs
--          {-1} a live process has this id   {-2, level, first version} the process understands less than the cluster writes
-- @include _formats.lua
-- @include _expired.lua
local id, entry, ttl = ARGV[1], ARGV[2], tonumber(ARGV[3])
local candidate, boot, presence, expected, count = ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]

local level, version = formats(KEYS[5], ARGV[10], ARGV[11])
if tonumber(ARGV[9]) < level then
  return { -2, level, version }
end

local now = removeExpired(KEYS[1], KEYS[2])

local before = redis.call('HGET', KEYS[1], id)
if expected ~= '' and before ~= expected then
  return { 0 }
end
local beforeBoot = ''
if before then
  local readable, value = pcall(cjson.decode, before)
  if readable and type(value) == 'table' and type(value.bootId) == 'string' then
    beforeBoot = value.bootId
  end
end
if presence ~= '' and beforeBoot ~= '' and beforeBoot ~= boot then
  local reply = redis.pcall('PUBSUB', count, presence .. id .. ':' .. beforeBoot)
  if not reply.err and reply[2] > 0 then
    return { -1 }
  end
end

local set = redis.pcall('HSETEX', KEYS[1], 'EX', ttl, 'FIELDS', 1, id, entry)
if type(set) == 'table' and set.err then
  redis.call('HSET', KEYS[1], id, entry)
  redis.call('ZADD', KEYS[2], string.format('%.0f', now + ttl * 1000), id)
else
  redis.call('ZREM', KEYS[2], id)
end

local owner = candidate ~= '' and redis.call('HGET', KEYS[3], 'owner')
if owner and string.sub(owner, 1, #candidate + 1) == candidate .. ':' then
  redis.call('SET', KEYS[4], entry, 'EX', ttl)
end
return { 1, level, version, beforeBoot }
