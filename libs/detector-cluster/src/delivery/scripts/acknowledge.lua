-- Acknowledges and deletes entries that a process has dealt with; those that failed for good become dead letters first.
-- Repeating a call changes nothing: a letter is written only for an entry that is still there.
-- KEYS[1] stream
-- KEYS[2] stream of dead letters
-- ARGV[1] group
-- ARGV[2] process id
-- ARGV[3] limit of dead letters; the oldest beyond it are removed
-- ARGV[4] number of entries without error
-- ARGV[5..] their ids, then per failed entry: id, error, attempts, time (ISO 8601)
-- Returns {entries acknowledged, dead letters written, dead letters removed}
local stream, letters_key = KEYS[1], KEYS[2]
local group, process, max_letters, done = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local IDS, WIDTH = 5, 4

local ids = {}
for i = 1, done do ids[i] = ARGV[IDS + i - 1] end

local letters, removed = 0, 0
for at = IDS + done, #ARGV, WIDTH do
  local id = ARGV[at]
  local entry = redis.call('XRANGE', stream, id, id)[1]
  if entry then
    local fields = entry[2]
    for _, value in ipairs({
      'entryId', id, 'error', ARGV[at + 1], 'attempts', ARGV[at + 2], 'at', ARGV[at + 3], 'processId', process,
    }) do fields[#fields + 1] = value end
    redis.call('XADD', letters_key, '*', unpack(fields))
    letters = letters + 1
  end
  ids[#ids + 1] = id
end
if letters > 0 then removed = redis.call('XTRIM', letters_key, 'MAXLEN', max_letters) end

if #ids == 0 or redis.call('EXISTS', stream) == 0 then return { 0, letters, removed } end
local acknowledged = redis.call('XACK', stream, group, unpack(ids))
redis.call('XDEL', stream, unpack(ids))
return { acknowledged, letters, removed }
