-- Removes dead letters whose replay is not requested.
-- KEYS[1] stream of dead letters
-- KEYS[2] sorted set of the requests, in the slot of the stream
-- ARGV ids of letters
-- Returns per letter: 1 removed; 0 there is no such letter; 2 its replay is requested, it stays
local letters, requests = KEYS[1], KEYS[2]

local replies = {}
for i, id in ipairs(ARGV) do
  if redis.call('ZSCORE', requests, id) then
    replies[i] = 2
  else
    replies[i] = redis.call('XDEL', letters, id)
  end
end
return replies
