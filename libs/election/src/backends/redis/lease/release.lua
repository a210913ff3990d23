-- Ends the owner's lease and announces that. The term stays, so that the next term is above it.
--
-- KEYS  1 lease   2 master   3 heartbeat   4 validity
-- ARGV  1 owner   2 channel for news
-- Returns  1 released   0 not held by the caller
-- @include _readable.lua
local owner, channel = ARGV[1], ARGV[2]

local record = isReadable() and redis.call('HMGET', KEYS[1], 'owner', 'term') or {}
if record[1] ~= owner then
  return 0
end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
-- Without the right to publish, others find out when they look.
redis.pcall('PUBLISH', channel, '{"term":' .. record[2] .. ',"owner":' .. cjson.encode(owner) .. ',"reason":"released"}')
return 1
