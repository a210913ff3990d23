-- Deletes entries that their owner has finished, and confirms to it that it is the owner. Without entries it only confirms.
-- A call that is repeated because its reply was lost changes nothing: calls of one epoch are numbered.
-- KEYS per log: stream, owner record
-- ARGV per log: process and epoch of the caller (both empty for the listener stream of a process), number of the call in this
--   epoch, number of entries, bytes of their messages, ids of the entries, bytes of the message of each
-- Returns per log: 1 confirmed; 2 confirmed, and the owner is asked to hand the log over; -1 the caller is not the owner
-- @include _numbers.lua
-- The record of a listener stream ends with its process. Milliseconds.
local LISTENER_LIFETIME = 600000

local function is_before(id, other)
  local high, low = string.match(id, '^(%d+)-(%d+)$')
  local other_high, other_low = string.match(other, '^(%d+)-(%d+)$')
  if high ~= other_high then return tonumber(high) < tonumber(other_high) end
  return tonumber(low) < tonumber(other_low)
end

-- Leaves out entries that are older than all that the stream has. Returns the other ids, and bytes of their messages.
local function without_dropped(stream, ids, at)
  local oldest = redis.call('XRANGE', stream, '-', '+', 'COUNT', 1)[1]
  local present, bytes = {}, 0
  for i, id in ipairs(ids) do
    if oldest and not is_before(id, oldest[1]) then
      present[#present + 1] = id
      bytes = bytes + tonumber(ARGV[at + #ids + i - 1])
    end
  end
  return present, bytes
end

local function acknowledge(stream, record, number, count, freed, at, bytes, dropped)
  local ids = { unpack(ARGV, at, at + count - 1) }
  if dropped > 0 then
    -- Entries that were dropped for lack of room while their owner held them were still delivered.
    ids, freed = without_dropped(stream, ids, at)
    if #ids < count then redis.call('HSET', record, 'dropped', dropped - math.min(count - #ids, dropped)) end
  end
  local left = bytes and bytes - freed
  -- If Redis has lost entries which their owner had read, it does not know which.
  if #ids > 0 and redis.call('XDEL', stream, unpack(ids)) < #ids then left = nil end
  left = left or measure(stream)
  redis.call('HSET', record, 'acknowledged', number, 'bytes', string.format('%.0f', left))
end

local replies = {}
local at = 1
for key = 1, #KEYS, 2 do
  local stream, record = KEYS[key], KEYS[key + 1]
  local process, epoch, number, count = ARGV[at], ARGV[at + 1], ARGV[at + 2], tonumber(ARGV[at + 3])
  local state = redis.call('HMGET', record, 'process', 'epoch', 'acknowledged', 'next', 'bytes', 'dropped')
  -- The listener stream of a process has no other owner, whatever another program has written into its record.
  if process ~= '' and (state[1] ~= process or state[2] ~= epoch) then
    replies[#replies + 1] = -1
  else
    if count > 0 and tonumber(number) > (whole(state[3]) or 0) then
      acknowledge(stream, record, number, count, tonumber(ARGV[at + 4]), at + 5, whole(state[5]), whole(state[6]) or 0)
      if process == '' then redis.call('PEXPIRE', record, LISTENER_LIFETIME) end
    end
    replies[#replies + 1] = state[4] and 2 or 1
  end
  at = at + 5 + 2 * count
end
return replies
