-- A number that the election has written; nil for what another program has written, or nothing.
local function written(value)
  if type(value) ~= 'string' or not string.match(value, '^%d+$') then
    return nil
  end
  local number = tonumber(value)
  return number < 9007199254740991 and number or nil
end

-- Whether the record in KEYS[1] is a lease, or none. Otherwise another program has written to the key.
local function isReadable()
  local record = redis.pcall('HMGET', KEYS[1], 'owner', 'term', 'seq')
  return not record.err and (not record[1] or (written(record[2]) ~= nil and written(record[3]) ~= nil))
end

-- What cannot be read may have replaced a valid lease. A lease of an unknown owner takes its place until that one must have ended.
local function makeReadable(ttl)
  if isReadable() then
    return
  end
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'owner', 'unreadable-lease:0:0', 'term', 0, 'seq', 0, 'mode', 'lease', 'change', 0)
  redis.call('PEXPIRE', KEYS[1], ttl)
end
