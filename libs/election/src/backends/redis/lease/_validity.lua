-- How long the holder of the last lease may act without a confirmation, in ms by the fastest clock, as far as the server knows; nil when
-- it was released, the server has lost it, or the value is no number from 1 to `longest`.
local function lastValidity(key, longest)
  local stored = redis.pcall('GET', key)
  local ms = type(stored) == 'string' and tonumber(stored)
  if ms and ms >= 1 and ms <= longest then
    return ms
  end
  return nil
end
