-- Reads owner records.
-- KEYS per log: stream, owner record
-- Returns per log {process, epoch, next process, how it came to its owner, term, unfinished detections, bytes, dropped}; '' where a
--   field is missing
local replies = {}
for key = 1, #KEYS, 2 do
  local state = redis.call('HMGET', KEYS[key + 1], 'process', 'epoch', 'next', 'origin', 'term', 'detections', 'bytes', 'dropped')
  for i = 1, 8 do state[i] = state[i] or '' end
  -- Nothing is left of a log that Redis has lost.
  if redis.call('XLEN', KEYS[key]) == 0 then state[6] = 0 end
  replies[#replies + 1] = state
end
return replies
