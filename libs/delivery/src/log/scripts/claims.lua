-- Reads which terms have been at logs, as far as the logs show.
-- KEYS per log: stream, owner record
-- Returns per log {highest id that the stream ever had, term of the owner record}; '' where there is none
-- @include _last-id.lua
local replies = {}
for key = 1, #KEYS, 2 do
  replies[#replies + 1] = { last_id(KEYS[key]), redis.call('HGET', KEYS[key + 1], 'term') or '' }
end
return replies
