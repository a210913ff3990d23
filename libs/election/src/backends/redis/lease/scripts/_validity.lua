-- How long the holder of the last lease may act without a confirmation, in ms by the fastest clock, as far as the server knows; nil when
-- it was released, or the server has lost it. A garbled value never bars candidates for longer than `longest`.
local function lastValidity(key, longest)
  local stored = redis.pcall('GET', key)
  local ms = type(stored) == 'string' and tonumber(stored)
  if ms and ms >= 1 then
    return math.min(ms, longest)
  end
  return nil
end
