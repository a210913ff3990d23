-- Removes dead letters for good, but for those that are to be delivered again: whichever was asked for first happens.
-- KEYS[1] stream of dead letters
-- KEYS[2] sorted set of the letters that are to be delivered again
-- ARGV[1..] ids of letters
-- Returns {ids of those that are removed now, ids of those that stay}; of the others there is none.
local letters, requests = KEYS[1], KEYS[2]

local dropped, left = {}, {}
for _, id in ipairs(ARGV) do
  if #redis.call('XRANGE', letters, id, id) > 0 and redis.call('ZSCORE', requests, id) then
    left[#left + 1] = id
  elseif redis.call('XDEL', letters, id) == 1 then
    dropped[#dropped + 1] = id
  end
end
return { dropped, left }
