-- Deletes batches that their owner has finished, notes which detections of others it has finished, and confirms to it that it is the owner.
-- Without batches it only confirms.
-- A call that is repeated because its reply was lost changes nothing: calls of one epoch are numbered.
-- KEYS per log: stream, owner record
-- ARGV per log: process and epoch of the caller (both empty for the listener stream of a process), number of the call in this
--   epoch, number of batches; per batch its id, the bytes of its messages as its owner has read them, how many of its detections this call
--   brings, and its mask with all that are finished
-- Returns per log: 1 confirmed; 2 confirmed, and the owner is asked to hand the log over; -1 the caller is not the owner
-- @include _batches.lua
-- The record of a listener stream ends with its process. Milliseconds.
local LISTENER_LIFETIME = 600000

local function is_before(id, other)
  local high, low = string.match(id, '^(%d+)-(%d+)$')
  local other_high, other_low = string.match(other, '^(%d+)-(%d+)$')
  if high ~= other_high then return tonumber(high) < tonumber(other_high) end
  return tonumber(low) < tonumber(other_low)
end

local function acknowledge(stream, record, number, count, at, bytes, detections, dropped)
  local fields = {}
  for i = 1, count do fields[i] = DONE .. ARGV[at + 4 * i - 4] end
  local known = redis.call('HMGET', record, unpack(fields))
  local oldest = dropped > 0 and redis.call('XRANGE', stream, '-', '+', 'COUNT', 1)[1]
  local gone, ended, changed = {}, {}, { 'acknowledged', number }
  local freed, finished, late = 0, 0, 0
  for i = 1, count do
    local from = at + 4 * i - 4
    local id, size, news, mask = ARGV[from], tonumber(ARGV[from + 1]), tonumber(ARGV[from + 2]), ARGV[from + 3]
    local before, actual, cleared = read_done(known[i])
    if dropped > 0 and not (oldest and not is_before(id, oldest[1])) then
      -- Detections that were dropped for lack of room while their owner held them were still delivered.
      late = late + news
    elseif string.find(mask, '0', 1, true) then
      -- Of a batch that Redis has lost, nothing is left to note.
      if before or redis.call('XRANGE', stream, id, id)[1] then
        finished = finished + ones(mask) - (before and ones(before) or 0)
        changed[#changed + 1] = fields[i]
        changed[#changed + 1] = write_done(mask, actual or size, cleared or 0)
      end
    else
      finished = finished + #mask - (before and ones(before) or 0)
      freed = freed + (actual or size)
      gone[#gone + 1] = id
      if before then ended[#ended + 1] = fields[i] end
    end
  end
  local is_certain = bytes and detections
  -- If Redis has lost entries which their owner had read, it does not know which.
  if #gone > 0 and redis.call('XDEL', stream, unpack(gone)) < #gone then is_certain = false end
  -- Before the other writes, so that they also succeed when Redis is full on servers that do not know the flag allow-oom.
  redis.call('HDEL', record, 'acknowledged', unpack(ended))
  redis.call('HSET', record, unpack(changed))
  if is_certain then bytes, detections = bytes - freed, detections - finished
  else bytes, detections = measure(stream, record) end
  redis.call('HSET', record, 'bytes', string.format('%.0f', bytes), 'detections', string.format('%.0f', detections))
  if late > 0 then redis.call('HSET', record, 'dropped', string.format('%.0f', dropped - math.min(late, dropped))) end
end

local replies = {}
local at = 1
for key = 1, #KEYS, 2 do
  local stream, record = KEYS[key], KEYS[key + 1]
  local process, epoch, number, count = ARGV[at], ARGV[at + 1], ARGV[at + 2], tonumber(ARGV[at + 3])
  local state = redis.call('HMGET', record, 'process', 'epoch', 'acknowledged', 'next', 'bytes', 'detections', 'dropped')
  -- The listener stream of a process has no other owner, whatever another program has written into its record.
  if process ~= '' and (state[1] ~= process or state[2] ~= epoch) then
    replies[#replies + 1] = -1
  else
    if count > 0 and tonumber(number) > (whole(state[3]) or 0) then
      acknowledge(stream, record, number, count, at + 4, whole(state[5]), whole(state[6]), whole(state[7]) or 0)
      if process == '' then redis.call('PEXPIRE', record, LISTENER_LIFETIME) end
    end
    replies[#replies + 1] = state[4] and 2 or 1
  end
  at = at + 4 + 4 * count
end
return replies
