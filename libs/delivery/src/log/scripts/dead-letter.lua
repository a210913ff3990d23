-- Turns a detection into a dead letter: notes that it is finished, or takes its batch out of the log if no other detection of it is left,
-- and puts it into the log's stream of dead letters. Does nothing for a detection that is finished.
-- Deletes before it writes, so that it also runs when Redis is full on servers that do not know the flag allow-oom.
-- KEYS[1] stream
-- KEYS[2] owner record
-- KEYS[3] stream of dead letters, in the slot of the stream
-- ARGV[1] process and ARGV[2] epoch of the caller (both empty for the listener stream of a process)
-- ARGV[3] id of the batch
-- ARGV[4] place of the detection in its batch, from 1
-- ARGV[5] most dead letters to keep
-- ARGV[6..] names and values of the letter's fields besides the message
-- Returns {code, dead letters removed to make room}; code 1 done, or there is no such detection (any more); -1 not the owner
-- @include _batches.lua
-- @include _letters.lua
local stream, record, letters = KEYS[1], KEYS[2], KEYS[3]
local process, epoch, id, place, most = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]

local field = DONE .. id
local state = redis.call('HMGET', record, 'process', 'epoch', 'bytes', 'detections', field)
if process ~= '' and (state[1] ~= process or state[2] ~= epoch) then return { -1, 0 } end
local entry = redis.call('XRANGE', stream, id, id)[1]
if not entry then return { 1, 0 } end
local text, count = batch_of(entry[2])
local message = lines_of(entry[2])[place]
local mask, _, cleared = read_done(state[5])
mask = mask or string.rep('0', count)
if not message or string.sub(mask, place, place) == '1' then return { 1, 0 } end
local refused = refused_letters(letters)
if refused then return refused end
local bytes, detections = whole(state[3]), whole(state[4])
if not bytes or not detections then bytes, detections = measure(stream, record) end
mask = string.sub(mask, 1, place - 1) .. '1' .. string.sub(mask, place + 1)
redis.call('HDEL', record, field)
if string.find(mask, '0', 1, true) then
  redis.call('HSET', record, field, write_done(mask, #text, cleared or 0))
else
  redis.call('XDEL', stream, id)
  bytes = bytes - #text
end
redis.call('HSET', record, 'bytes', string.format('%.0f', bytes), 'detections', string.format('%.0f', detections - 1))
local fields = { 'message', message }
for i = 6, #ARGV do fields[#fields + 1] = ARGV[i] end
redis.call('XADD', letters, '*', unpack(fields))
return { 1, redis.call('XTRIM', letters, 'MAXLEN', '=', most) }
