-- Reads single messages.
-- KEYS[1] stream
-- ARGV ids of batches, each followed by the place of a detection in it, from 1
-- Returns per detection its message; '' if there is none (any more)
-- @include _batches.lua
local messages = {}
for i = 1, #ARGV, 2 do
  local entry = redis.call('XRANGE', KEYS[1], ARGV[i], ARGV[i])[1]
  messages[#messages + 1] = entry and lines_of(entry[2])[tonumber(ARGV[i + 1])] or ''
end
return messages
