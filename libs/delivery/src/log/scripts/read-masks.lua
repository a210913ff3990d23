-- Reads which detections of batches are finished.
-- KEYS[1] stream
-- KEYS[2] owner record
-- ARGV ids of batches
-- Returns per batch its mask, '' if none of its detections is finished; nil if it is not in the log any more
-- @include _batches.lua
local masks = {}
for i, id in ipairs(ARGV) do
  local mask = read_done(redis.call('HGET', KEYS[2], DONE .. id))
  masks[i] = redis.call('XRANGE', KEYS[1], id, id)[1] and (mask or '') or false
end
return masks
