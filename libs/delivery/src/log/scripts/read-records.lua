-- Reads owner records.
-- KEYS per log: stream, owner record
-- Returns per log {process, epoch, next process, how it came to its owner, term, entries, bytes, dropped}; '' where a
--   field is missing
local replies = {}
for key = 1, #KEYS, 2 do
  local state = redis.call('HMGET', KEYS[key + 1], 'process', 'epoch', 'next', 'origin', 'term', 'bytes', 'dropped')
  for i = 1, 7 do state[i] = state[i] or '' end
  table.insert(state, 6, redis.call('XLEN', KEYS[key]))
  replies[#replies + 1] = state
end
return replies
