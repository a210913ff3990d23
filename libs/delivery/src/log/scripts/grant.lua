-- Gives a partition to a process, or asks its owner to hand it over. Only the master calls it, under its term.
-- KEYS per partition: stream, owner record
-- ARGV[1] term
-- ARGV[2..] per partition: what to do, process, new epoch, epoch that the record is expected to have ('' for none)
--   take: the process is the owner now; its predecessor is gone, or has given the partition up
--   hand-over: the process becomes the owner when the present owner releases the partition
--   keep: a hand-over that was asked for is called off
-- Returns per partition: 1 done; 0 the record has changed, nothing was done; -2 a later term has written here
-- @include _numbers.lua
-- @include _last-id.lua
local term = ARGV[1]

local function grant(stream, record, action, process, epoch, expected)
  local state = redis.call('HMGET', record, 'term', 'epoch', 'process', 'origin', 'nextEpoch')
  if (whole(state[1]) or 0) > tonumber(term) or term_of(last_id(stream)) > tonumber(term) then return -2 end
  -- Applied by an earlier call whose reply was lost.
  if state[2] == epoch or state[5] == epoch then return 1 end
  if (state[2] or '') ~= expected then return 0 end
  redis.call('HSET', record, 'term', term)
  if action == 'keep' then
    redis.call('HDEL', record, 'next', 'nextEpoch')
  elseif action == 'hand-over' then
    redis.call('HSET', record, 'next', process, 'nextEpoch', epoch)
  else
    -- No process works on a released partition, so its new owner does not wait.
    local origin = 'taken'
    if not state[2] then origin = 'new' elseif state[3] == '' then origin = state[4] end
    redis.call('HSET', record, 'process', process, 'epoch', epoch, 'origin', origin)
    redis.call('HDEL', record, 'next', 'nextEpoch', 'acknowledged')
  end
  return 1
end

local replies = {}
for key = 1, #KEYS, 2 do
  local at = 2 + (key - 1) * 2
  replies[#replies + 1] = grant(KEYS[key], KEYS[key + 1], ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3])
end
return replies
