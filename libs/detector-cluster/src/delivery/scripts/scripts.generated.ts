// Generated from the Lua files of this folder by `npm run generate`. Do not edit.
export const acknowledge = `-- Acknowledges and deletes entries that a process has dealt with; those that failed for good become dead letters first.
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
`;

export const append = `-- Appends detections to the stream of one process, all or none but for a full backlog, and keeps the backlog in bounds.
-- A call that is repeated because its reply was lost changes nothing: the explicit ids make Redis refuse what it has.
-- KEYS[1] stream
-- KEYS[2] hash of dropped entries per process
-- ARGV[1] term
-- ARGV[2] group
-- ARGV[3] process id
-- ARGV[4] limit of entries
-- ARGV[5] limit of bytes
-- ARGV[6] 1: drop the oldest unread entries when over a limit; 0: refuse new ones
-- ARGV[7..] per entry: sequence, message, redelivered ('' or '1')
-- Returns {code, accepted, of these already there, backlog in entries, backlog in bytes, ever dropped for this process}
--   code 1: done; where accepted is less than given, the rest was refused because the backlog is full
--   code -1: there is no such stream; nothing was written
--   code -2: a later term has written here; nothing was written. Until it does, a master that hands over may go on.
local stream, dropped_key = KEYS[1], KEYS[2]
local term, group, process = ARGV[1], ARGV[2], ARGV[3]
local max_entries, max_bytes, drop_oldest = tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6] == '1'
local FIRST, WIDTH, DROP_AT_ONCE, DROP_PER_CALL = 7, 3, 100, 2000

local function bytes_used()
  local usage = redis.pcall('MEMORY', 'USAGE', stream, 'SAMPLES', '5')
  if type(usage) == 'number' then return usage end
  return 0
end

local function field(flat, name)
  for i = 1, #flat, 2 do
    if flat[i] == name then return flat[i + 1] end
  end
end

local function append(at)
  local id = term .. '-' .. ARGV[at]
  if ARGV[at + 2] == '' then return redis.pcall('XADD', stream, 'NOMKSTREAM', id, 'message', ARGV[at + 1]) end
  return redis.pcall('XADD', stream, 'NOMKSTREAM', id, 'message', ARGV[at + 1], 'redelivered', ARGV[at + 2])
end

local length = redis.call('XLEN', stream)
local full = not drop_oldest and (length >= max_entries or bytes_used() >= max_bytes)
local accepted, present = 0, 0

for at = FIRST, #ARGV, WIDTH do
  local sequence = ARGV[at]
  local room = not full and (drop_oldest or length < max_entries)
  local reply = nil
  if room then
    reply = append(at)
    if reply == false then return { -1, 0, 0, 0, 0, 0 } end
    if type(reply) == 'string' then
      length = length + 1
      accepted = accepted + 1
    end
  end
  if not room or type(reply) ~= 'string' then
    -- Refused: because it is there already, because a successor wrote a higher id, or for want of room.
    local info = redis.pcall('XINFO', 'STREAM', stream)
    if info.err then
      if reply and reply.err then return reply end
      return { -1, 0, 0, 0, 0, 0 }
    end
    local last_term, last_sequence = string.match(field(info, 'last-generated-id'), '^(%d+)-(%d+)$')
    if tonumber(last_term) > tonumber(term) then return { -2, 0, 0, 0, 0, 0 } end
    if last_term == term and tonumber(last_sequence) >= tonumber(sequence) then
      accepted = accepted + 1
      present = present + 1
    elseif room then
      return reply
    else
      break
    end
  end
end

local used = bytes_used()
local dropped = 0
if drop_oldest and (length > max_entries or used > max_bytes) then
  -- Only what the process has not read yet can be dropped for certain, so that the count is exact.
  local read_up_to = '0-0'
  for _, each in ipairs(redis.call('XINFO', 'GROUPS', stream)) do
    if field(each, 'name') == group then read_up_to = field(each, 'last-delivered-id') end
  end
  while dropped < DROP_PER_CALL and (length > max_entries or used > max_bytes) do
    local surplus = math.min(DROP_AT_ONCE, length > max_entries and length - max_entries or 1)
    local oldest = redis.call('XRANGE', stream, '(' .. read_up_to, '+', 'COUNT', surplus)
    if #oldest == 0 then break end
    local ids = {}
    for i, entry in ipairs(oldest) do ids[i] = entry[1] end
    redis.call('XDEL', stream, unpack(ids))
    dropped = dropped + #ids
    length = length - #ids
    used = bytes_used()
  end
end

local total
if dropped > 0 then
  total = redis.call('HINCRBY', dropped_key, process, dropped)
else
  total = tonumber(redis.call('HGET', dropped_key, process) or '0')
end
return { 1, accepted, present, length, used, total }
`;

export const createStream = `-- Creates the stream and the consumer group of one process and enters the process in the set of those that have one.
-- KEYS[1] stream
-- KEYS[2] sorted set of the processes that have a stream, see \`reroute.lua\`
-- ARGV[1] group
-- ARGV[2] process id
-- Returns 1 if the group was created, 0 if it was there.
local stream, streams = KEYS[1], KEYS[2]
local group, process = ARGV[1], ARGV[2]

redis.call('ZADD', streams, 'NX', 0, process)
local reply = redis.pcall('XGROUP', 'CREATE', stream, group, '0', 'MKSTREAM')
if type(reply) == 'table' and reply.err then
  if string.find(reply.err, 'BUSYGROUP', 1, true) then return 0 end
  return reply
end
return 1
`;

export const dropLetters = `-- Removes dead letters for good, but for those that are to be delivered again: whichever was asked for first happens.
-- KEYS[1] stream of dead letters
-- KEYS[2] sorted set of the letters that are to be delivered again
-- ARGV[1..] ids of letters
-- Returns {ids of those that are removed now, ids of those that stay}; of the others there is none.
local letters, requests = KEYS[1], KEYS[2]

local dropped, left = {}, {}
for _, id in ipairs(ARGV) do
  if #redis.call('XRANGE', letters, id, id) > 0 and redis.call('ZSCORE', requests, id) then
    left[#left + 1] = id
  elseif redis.call('XDEL', letters, id) == 1 then
    dropped[#dropped + 1] = id
  end
end
return { dropped, left }
`;

export const findWorkerEntry = `-- Looks for the first entry that a process still has to handle as the owner of one worker.
-- KEYS[1] stream
-- ARGV[1] worker URL
-- ARGV[2] id to start from
-- ARGV[3] last id of interest
-- ARGV[4] most entries to look at
-- Returns {1, id} when there is one, {0, id to continue from} when there may be, {-1, ''} when there is none.
local stream = KEYS[1]
local worker, from, to, limit = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

-- The worker of an entry, '' where that is unreadable, and for whom it is: what the entry's fields say, or else the head of its
-- message, which ends where the worker's frame begins.
local function routing_of(fields)
  local worker, audience, changed = '', 'owner', nil
  for i = 1, #fields, 2 do
    local name, value = fields[i], fields[i + 1]
    if name == 'for' then changed = value end
    if name == 'message' then
      local frame_at = string.find(value, ',"data":', 1, true) or 1
      local ok, head = pcall(cjson.decode, string.sub(value, 1, frame_at - 1) .. '}')
      if ok and type(head) == 'table' then
        if type(head.workerUrl) == 'string' then worker = head.workerUrl end
        if type(head['for']) == 'string' then audience = head['for'] end
      end
    end
  end
  return worker, changed or audience
end

local entries = redis.call('XRANGE', stream, from, to, 'COUNT', limit)
for _, entry in ipairs(entries) do
  local its_worker, audience = routing_of(entry[2])
  if its_worker == worker and audience ~= 'listener' then return { 1, entry[1] } end
end
if #entries < limit then return { -1, '' } end
return { 0, '(' .. entries[#entries][1] }
`;

export const markSeen = `-- Tells processes which version of their interests the master routes by.
-- KEYS[1] fence: the highest term that has written
-- KEYS[2] hash of the interests that the master has seen
-- ARGV[1] term
-- ARGV[2..] per process: id, version
-- Returns 1, or -2 if a later term has written.
local fence_key, seen = KEYS[1], KEYS[2]
local term = ARGV[1]

local fence = tonumber(redis.call('GET', fence_key) or '0')
if fence > tonumber(term) then return -2 end
if fence < tonumber(term) then redis.call('SET', fence_key, term) end

for at = 2, #ARGV, 2 do redis.call('HSET', seen, ARGV[at], ARGV[at + 1]) end
return 1
`;

export const replay = `-- Puts dead letters back into the streams of processes that live. Each letter is copied and deleted in the same call, so
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

local LATER_TERM = -2

-- The sequence of the newest entry that a term wrote to a stream, 0 where it wrote none, LATER_TERM where its successor
-- did, nil where there is no stream.
local function last_sequence(stream, term)
  local info = redis.pcall('XINFO', 'STREAM', stream)
  if info.err then return nil end
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then
      local last_term, sequence = string.match(info[i + 1], '^(%d+)-(%d+)$')
      if tonumber(last_term) > tonumber(term) then return LATER_TERM end
      return last_term == term and tonumber(sequence) or 0
    end
  end
end

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
`;

export const requestReplay = `-- Asks the master to put dead letters back into delivery. What is asked for twice keeps its place.
-- KEYS[1] stream of dead letters
-- KEYS[2] sorted set of the letters that are asked for, in the order of their requests
-- ARGV[1..] ids of letters
-- Returns the ids of those that exist.
local letters, requests = KEYS[1], KEYS[2]

local newest = redis.call('ZREVRANGE', requests, 0, 0, 'WITHSCORES')
local place = tonumber(newest[2] or '0')
local found = {}
for _, id in ipairs(ARGV) do
  if #redis.call('XRANGE', letters, id, id) > 0 then
    place = place + 1
    redis.call('ZADD', requests, 'NX', place, id)
    found[#found + 1] = id
  end
end
return found
`;

export const reroute = `-- Moves the entries of a dead process to the new owners of their workers, oldest first, a limited number per call.
-- Each entry is copied and deleted in the same call, so whoever continues after a crash repeats nothing.
-- KEYS[1] stream of the dead process
-- KEYS[2] fence: the highest term that has written
-- KEYS[3] sorted set of the processes that have a stream; the score rises each time one gets entries here
-- KEYS[4] hash of interests
-- KEYS[5] hash of the interests that the master has seen
-- KEYS[6] hash of dropped entries per process
-- KEYS[7..] streams of the new owners
-- ARGV[1] term
-- ARGV[2] id of the dead process
-- ARGV[3] most entries to look at
-- ARGV[4] number, from 1, of the new owner of workers that are not listed
-- ARGV[5..] per new owner: its id; then per worker: URL, number of its new owner
-- Returns {code, moved, listener entries discarded, highest sequence of this term in the owners' streams or 0, number of the
--   owner without stream or 0}
--   code 1: there is more; code 2: all moved, the dead process is forgotten
--   code -1: a new owner has no stream, the entries from there on were left; code -2: a later term has written
local source, fence_key, streams, interests, seen, dropped = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local term, process, limit, default_owner = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local OWNERS, IDS = 6, 4
local WORKERS = IDS + 1 + #KEYS - OWNERS

local fence = tonumber(redis.call('GET', fence_key) or '0')
if fence > tonumber(term) then return { -2, 0, 0, 0, 0 } end
if fence < tonumber(term) then redis.call('SET', fence_key, term) end

local owner_of = {}
for at = WORKERS, #ARGV, 2 do owner_of[ARGV[at]] = tonumber(ARGV[at + 1]) end

local LATER_TERM = -2

-- The sequence of the newest entry that a term wrote to a stream, 0 where it wrote none, LATER_TERM where its successor
-- did, nil where there is no stream.
local function last_sequence(stream, term)
  local info = redis.pcall('XINFO', 'STREAM', stream)
  if info.err then return nil end
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then
      local last_term, sequence = string.match(info[i + 1], '^(%d+)-(%d+)$')
      if tonumber(last_term) > tonumber(term) then return LATER_TERM end
      return last_term == term and tonumber(sequence) or 0
    end
  end
end
-- The worker of an entry, '' where that is unreadable, and for whom it is: what the entry's fields say, or else the head of its
-- message, which ends where the worker's frame begins.
local function routing_of(fields)
  local worker, audience, changed = '', 'owner', nil
  for i = 1, #fields, 2 do
    local name, value = fields[i], fields[i + 1]
    if name == 'for' then changed = value end
    if name == 'message' then
      local frame_at = string.find(value, ',"data":', 1, true) or 1
      local ok, head = pcall(cjson.decode, string.sub(value, 1, frame_at - 1) .. '}')
      if ok and type(head) == 'table' then
        if type(head.workerUrl) == 'string' then worker = head.workerUrl end
        if type(head['for']) == 'string' then audience = head['for'] end
      end
    end
  end
  return worker, changed or audience
end

-- Asked of every owner, also of those that get nothing: an earlier call may have written whose reply was lost, and the
-- master must not use its ids again.
local last, highest = {}, 0
for owner = 1, #KEYS - OWNERS do
  last[owner] = last_sequence(KEYS[OWNERS + owner], term)
  if last[owner] == LATER_TERM then return { -2, 0, 0, 0, 0 } end
  if last[owner] and last[owner] > highest then highest = last[owner] end
end

local moved, discarded, heirs = 0, 0, {}
local entries = redis.call('XRANGE', source, '-', '+', 'COUNT', limit)
for _, entry in ipairs(entries) do
  local id, fields = entry[1], entry[2]
  local worker, audience = routing_of(fields)
  local copy = {}
  for i = 1, #fields, 2 do
    if fields[i] ~= 'for' and fields[i] ~= 'redelivered' then
      copy[#copy + 1] = fields[i]
      copy[#copy + 1] = fields[i + 1]
    end
  end
  if audience == 'listener' then
    discarded = discarded + 1
  else
    local owner = owner_of[worker] or default_owner
    if not last[owner] then return { -1, moved, discarded, highest, owner } end
    last[owner] = last[owner] + 1
    if last[owner] > highest then highest = last[owner] end
    for _, value in ipairs({ 'for', 'owner', 'redelivered', '1' }) do copy[#copy + 1] = value end
    redis.call(
      'XADD', KEYS[OWNERS + owner], 'NOMKSTREAM', term .. '-' .. string.format('%.0f', last[owner]), unpack(copy)
    )
    moved = moved + 1
    heirs[owner] = true
  end
  redis.call('XDEL', source, id)
end

-- What an heir has got of a process is older than what that process still has: should both be gone, the heir goes first.
local latest = redis.call('ZREVRANGE', streams, 0, 0, 'WITHSCORES')[2] or 0
for owner in pairs(heirs) do redis.call('ZADD', streams, latest + 1, ARGV[IDS + owner]) end

if #entries == limit then return { 1, moved, discarded, highest, 0 } end
redis.call('DEL', source)
redis.call('ZREM', streams, process)
redis.call('HDEL', interests, process)
redis.call('HDEL', seen, process)
redis.call('HDEL', dropped, process)
return { 2, moved, discarded, highest, 0 }
`;
