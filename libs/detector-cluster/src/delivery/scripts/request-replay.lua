-- Asks the master to put dead letters back into delivery. What is asked for twice keeps its place.
-- KEYS[1] stream of dead letters
-- KEYS[2] sorted set of the letters that are asked for, in the order of their requests
-- ARGV[1..] ids of letters
-- Returns the ids of those that exist.
local letters, requests = KEYS[1], KEYS[2]

local newest = redis.call('ZREVRANGE', requests, 0, 0, 'WITHSCORES')
local place = tonumber(newest[2] or '0')
local found = {}
for _, id in ipairs(ARGV) do
  if #redis.call('XRANGE', letters, id, id) > 0 then
    place = place + 1
    redis.call('ZADD', requests, 'NX', place, id)
    found[#found + 1] = id
  end
end
return found
