-- Requests the replay of dead letters. From then on drop-letters leaves them.
-- KEYS[1] stream of dead letters
-- KEYS[2] sorted set of the requests, in the slot of the stream
-- ARGV ids of letters
-- Returns per letter: 1 its replay is requested, perhaps by an earlier call; 0 there is no such letter
local letters, requests = KEYS[1], KEYS[2]

local newest = redis.call('ZREVRANGE', requests, 0, 0, 'WITHSCORES')[2]
local place = tonumber(newest or '0')
local replies = {}
for i, id in ipairs(ARGV) do
  if #redis.call('XRANGE', letters, id, id) == 0 then
    replies[i] = 0
  else
    place = place + redis.call('ZADD', requests, 'NX', place + 1, id)
    replies[i] = 1
  end
end
return replies
