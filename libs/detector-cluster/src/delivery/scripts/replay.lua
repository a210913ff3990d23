-- Puts dead letters back into the streams of processes that live. Each letter is copied and deleted in the same call, so
-- whoever repeats it, because the reply was lost or as the next master, delivers nothing twice and loses nothing.
-- KEYS[1] stream of dead letters
-- KEYS[2] sorted set of the letters that are asked for
-- KEYS[3] fence: the highest term that has written
-- KEYS[4..] streams of the processes that get them
-- ARGV[1] term
-- ARGV[2..] per letter: id, number from 1 of the stream it goes to, or 0 to leave it where it is
-- Returns {code, replayed, highest sequence of this term in the streams or 0, number of the process without stream or 0}
--   code 1: done; code -1: a process has no stream, the letters from there on were left; code -2: a later term has written
local letters, requests, fence_key = KEYS[1], KEYS[2], KEYS[3]
local term = ARGV[1]
local STREAMS, LETTERS = 3, 2
local OF_LETTER = { entryId = true, error = true, attempts = true, at = true, processId = true, redelivered = true }

local fence = tonumber(redis.call('GET', fence_key) or '0')
if fence > tonumber(term) then return { -2, 0, 0, 0 } end
if fence < tonumber(term) then redis.call('SET', fence_key, term) end

-- @include _last-sequence.lua

-- Asked of every stream, also of those that get nothing: an earlier call may have written whose reply was lost.
local last, highest = {}, 0
for at = STREAMS + 1, #KEYS do
  last[at] = last_sequence(KEYS[at], term)
  if last[at] == LATER_TERM then return { -2, 0, 0, 0 } end
  if last[at] and last[at] > highest then highest = last[at] end
end

local replayed = 0
for at = LETTERS, #ARGV, 2 do
  local id, target = ARGV[at], tonumber(ARGV[at + 1])
  local letter = redis.call('XRANGE', letters, id, id)[1]
  if letter and target > 0 then
    local stream = STREAMS + target
    if not last[stream] then return { -1, replayed, highest, target } end
    local copy = {}
    for i = 1, #letter[2], 2 do
      if not OF_LETTER[letter[2][i]] then
        copy[#copy + 1] = letter[2][i]
        copy[#copy + 1] = letter[2][i + 1]
      end
    end
    copy[#copy + 1] = 'redelivered'
    copy[#copy + 1] = '1'
    last[stream] = last[stream] + 1
    if last[stream] > highest then highest = last[stream] end
    redis.call('XADD', KEYS[stream], 'NOMKSTREAM', term .. '-' .. string.format('%.0f', last[stream]), unpack(copy))
    redis.call('XDEL', letters, id)
    replayed = replayed + 1
  end
  redis.call('ZREM', requests, id)
end
return { 1, replayed, highest, 0 }
