-- The level of formats that the cluster writes, and the first version that understands it. If the caller knows a higher one, Redis has lost
-- it with its data, and it is written again.
local function formats(key, level, version)
  local stored = redis.call('HMGET', key, 'level', 'version')
  if tonumber(level) > (tonumber(stored[1]) or 1) then
    redis.call('HSET', key, 'level', level, 'version', version)
    return tonumber(level), version
  end
  return tonumber(stored[1]) or 1, stored[2] or version
end
