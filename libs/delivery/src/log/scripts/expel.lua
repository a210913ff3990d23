-- Frees a log of a term that has never begun, which another program has brought: as the id of an entry, or into the owner record.
-- It would shut out every master. Ids of a stream only rise, so the stream is written again without such entries, which become dead
-- letters. The partition then has no owner, because its owner may have read beyond the ids to come.
-- KEYS[1] stream
-- KEYS[2] owner record
-- KEYS[3] stream of dead letters, in the slot of the stream
-- ARGV[1] term of the master
-- ARGV[2] and ARGV[3] what claims has returned before the fence confirmed that term
-- ARGV[4] sequence of that term up to which a late call must not append any more; 0 for none
-- ARGV[5] most dead letters to keep
-- ARGV[6..] names and values of the letters' fields besides the message
-- Returns {entries that became dead letters, dead letters removed to make room}, or {-1, 0} if the log has changed since
-- @include _batches.lua
-- @include _letters.lua
-- @include _last-id.lua
local stream, record, letters = KEYS[1], KEYS[2], KEYS[3]
local term, seen_id, seen_term, settled, most = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

if last_id(stream) ~= seen_id or (redis.call('HGET', record, 'term') or '') ~= seen_term then return { -1, 0 } end
local refused = refused_letters(letters)
if refused then return refused end
redis.call('HSET', record, 'term', term)
if term_of(seen_id) <= tonumber(term) then return { 0, 0 } end

local entries = redis.call('XRANGE', stream, '-', '+')
redis.call('DEL', stream)
local expelled = 0
for _, entry in ipairs(entries) do
  local id, fields = entry[1], entry[2]
  if term_of(id) <= tonumber(term) then
    redis.call('XADD', stream, id, unpack(fields))
  else
    expelled = expelled + 1
    local letter = { 'message', #fields == 2 and fields[2] or table.concat(fields, ' ') }
    for i = 6, #ARGV do letter[#letter + 1] = ARGV[i] end
    redis.call('XADD', letters, '*', unpack(letter))
  end
end
if settled ~= '0' then
  -- Only an entry sets the highest id on every server. It is refused where the stream has a higher id.
  local id = redis.pcall('XADD', stream, term .. '-' .. settled, 'detections', 0, 'messages', '')
  if type(id) == 'string' then redis.call('XDEL', stream, id) end
end
-- The next owner waits until the present one cannot act any more.
local bytes, detections = measure(stream, record)
redis.call('HSET', record, 'process', '', 'origin', 'taken', 'bytes', bytes, 'detections', detections)
return { expelled, redis.call('XTRIM', letters, 'MAXLEN', '=', most) }
