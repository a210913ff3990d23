-- Closes partitions to all earlier terms, and returns whether they are empty.
-- KEYS per partition: stream, owner record
-- ARGV[1] term
-- Returns per partition its number of entries, or -2 if a later term has written there
-- @include _numbers.lua
local term = ARGV[1]
local replies = {}
for key = 1, #KEYS, 2 do
  local sealed = whole(redis.call('HGET', KEYS[key + 1], 'term')) or 0
  if sealed > tonumber(term) then
    replies[#replies + 1] = -2
  else
    redis.call('HSET', KEYS[key + 1], 'term', term)
    replies[#replies + 1] = redis.call('XLEN', KEYS[key])
  end
end
return replies
