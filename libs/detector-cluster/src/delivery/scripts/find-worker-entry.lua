-- Looks for the first entry that a process still has to handle as the owner of one worker.
-- KEYS[1] stream
-- ARGV[1] worker URL
-- ARGV[2] id to start from
-- ARGV[3] last id of interest
-- ARGV[4] most entries to look at
-- Returns {1, id} when there is one, {0, id to continue from} when there may be, {-1, ''} when there is none.
local stream = KEYS[1]
local worker, from, to, limit = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

local entries = redis.call('XRANGE', stream, from, to, 'COUNT', limit)
for _, entry in ipairs(entries) do
  local is_worker, is_owner = false, false
  for i = 1, #entry[2], 2 do
    local name, value = entry[2][i], entry[2][i + 1]
    if name == 'workerUrl' then is_worker = value == worker end
    if name == 'for' then is_owner = value ~= 'listener' end
  end
  if is_worker and is_owner then return { 1, entry[1] } end
end
if #entries < limit then return { -1, '' } end
return { 0, '(' .. entries[#entries][1] }
