-- Turns an entry into a dead letter: takes it out of its log and puts it into the log's stream of dead letters.
-- Deletes before it writes, so that it also runs when Redis is full on servers that do not know the flag allow-oom.
-- KEYS[1] stream
-- KEYS[2] owner record
-- KEYS[3] stream of dead letters, in the slot of the stream
-- ARGV[1] process and ARGV[2] epoch of the caller (both empty for the listener stream of a process)
-- ARGV[3] id of the entry
-- ARGV[4] most dead letters to keep
-- ARGV[5..] names and values of the letter's fields besides the message
-- Returns {code, dead letters removed to make room}; code 1 done, or there is no such entry (any more); -1 not the owner
-- @include _numbers.lua
-- @include _letters.lua
local stream, record, letters = KEYS[1], KEYS[2], KEYS[3]
local process, epoch, id, most = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local state = redis.call('HMGET', record, 'process', 'epoch', 'bytes')
if process ~= '' and (state[1] ~= process or state[2] ~= epoch) then return { -1, 0 } end
local entry = redis.call('XRANGE', stream, id, id)[1]
if not entry then return { 1, 0 } end
local refused = refused_letters(letters)
if refused then return refused end
local message = entry[2][2]
redis.call('XDEL', stream, id)
redis.call('HSET', record, 'bytes', string.format('%.0f', (whole(state[3]) or measure(stream) + #message) - #message))
local fields = { 'message', message }
for i = 5, #ARGV do fields[#fields + 1] = ARGV[i] end
redis.call('XADD', letters, '*', unpack(fields))
return { 1, redis.call('XTRIM', letters, 'MAXLEN', '=', most) }
