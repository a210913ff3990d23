-- Removes a process's entry.
--
-- KEYS  1 processes (hash)   2 expiry times (sorted set)   3 master_process (string)
-- ARGV  1 process id         2 boot id that the entry must have, '' for any
-- Returns  1 removed   0 no entry, or the entry has another boot id
local id, boot = ARGV[1], ARGV[2]

local function bootOf(entry)
  local readable, value = pcall(cjson.decode, entry)
  return readable and type(value) == 'table' and value.bootId
end

local entry = redis.call('HGET', KEYS[1], id)
if not entry or (boot ~= '' and bootOf(entry) ~= boot) then
  return 0
end
redis.call('HDEL', KEYS[1], id)
redis.call('ZREM', KEYS[2], id)
local master = redis.call('GET', KEYS[3])
if master and bootOf(master) and bootOf(master) == bootOf(entry) then
  redis.call('DEL', KEYS[3])
end
return 1
