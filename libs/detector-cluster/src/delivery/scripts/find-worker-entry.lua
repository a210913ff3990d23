-- Looks for the first entry that a process still has to handle as the owner of one worker.
-- KEYS[1] stream
-- ARGV[1] worker URL
-- ARGV[2] id to start from
-- ARGV[3] last id of interest
-- ARGV[4] most entries to look at
-- Returns {1, id} when there is one, {0, id to continue from} when there may be, {-1, ''} when there is none.
local stream = KEYS[1]
local worker, from, to, limit = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

-- @include _routing-of.lua

local entries = redis.call('XRANGE', stream, from, to, 'COUNT', limit)
for _, entry in ipairs(entries) do
  local its_worker, audience = routing_of(entry[2])
  if its_worker == worker and audience ~= 'listener' then return { 1, entry[1] } end
end
if #entries < limit then return { -1, '' } end
return { 0, '(' .. entries[#entries][1] }
