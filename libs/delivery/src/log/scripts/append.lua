-- Appends detections to logs and keeps each log within its limits. The only script that adds entries to a log.
-- A call that is repeated because its reply was lost changes nothing: ids of a log rise within a term, so an entry whose id
-- is not above the last one is already in the log, or has been finished since.
-- A worker that numbers its detections sends to the next master again what it does not know to be accepted. The record has the last number
-- of each subscription, so that such an entry is not added a second time, under a new id.
-- KEYS per log: stream, owner record
-- ARGV[1] term
-- ARGV[2] most entries of a log
-- ARGV[3] most bytes of messages in a log
-- ARGV[4] 1: drop the oldest entries beyond a limit; 0: refuse new ones
-- ARGV[5] 1: write also when all entries are there, so that WAIT on this connection covers them
-- ARGV[6] 1: the term of the writer is over, which then writes only to logs that have an owner. Without one, Redis may have lost what
--   later terms have written. Listener streams have none: their readers write the record again after a loss
-- ARGV[7..] per log: lifetime in ms or 0, sequence of the first entry, number of entries, number of origins, messages (sequences are
--   consecutive), and of none or each of them `<boot>-<seq> <subscription>`, or '' if its worker does not number detections
-- Returns per log {code, accepted, of these already there, backlog in entries, backlog in bytes, dropped since the log exists}
--   code 1: done; where accepted is less than given, the rest was refused because the log is full
--   code -2: a later term has written or granted here, or may have; nothing was written
-- @include _numbers.lua
-- @include _last-id.lua
local term, max_entries, max_bytes = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local drop_oldest, always_write, over = ARGV[4] == '1', ARGV[5] == '1', ARGV[6] == '1'
local DROP_PER_CALL, PAGE = 5000, 100
-- Most fields of a record, to bound what subscriptions that ended leave behind.
local MOST_FIELDS, SENT = 10000, 'sent:'

-- The last detection of each subscription of these origins that the log has got: by field of the record, boot and number.
local function read_sent(record, from, count)
  local sent, fields = {}, {}
  for at = from, from + count - 1 do
    local subscription = string.match(ARGV[at], '^%S+ (.*)$')
    local field = subscription and SENT .. subscription
    if field and sent[field] == nil then
      sent[field] = false
      fields[#fields + 1] = field
    end
  end
  if #fields > 0 then
    for i, id in ipairs(redis.call('HMGET', record, unpack(fields))) do
      local boot, seq = string.match(id or '', '^(%w+)%-(%d+)$')
      if boot then sent[fields[i]] = { boot, tonumber(seq) } end
    end
  end
  return sent
end

local function write_sent(record, changed)
  local fields = {}
  for field, last in pairs(changed) do
    fields[#fields + 1] = field
    fields[#fields + 1] = last[1] .. '-' .. string.format('%.0f', last[2])
  end
  if #fields == 0 then return end
  if redis.call('HLEN', record) > MOST_FIELDS then
    for _, field in ipairs(redis.call('HKEYS', record)) do
      if string.sub(field, 1, #SENT) == SENT then redis.call('HDEL', record, field) end
    end
  end
  redis.call('HSET', record, unpack(fields))
end

-- Deletes the oldest entries until both limits hold. Returns entries and bytes that went.
local function make_room(stream, length, bytes)
  local dropped, freed = 0, 0
  while dropped < DROP_PER_CALL and (length - dropped > max_entries or bytes - freed > max_bytes) do
    local oldest = redis.call('XRANGE', stream, '-', '+', 'COUNT', PAGE)
    local going = 0
    for _, entry in ipairs(oldest) do
      if length - dropped <= max_entries and bytes - freed <= max_bytes then break end
      freed = freed + #entry[2][2]
      dropped = dropped + 1
      going = going + 1
    end
    if going == 0 then break end
    redis.call('XTRIM', stream, 'MAXLEN', '=', length - dropped)
  end
  return dropped, freed
end

local function append(stream, record, first, messages_from, count, origins)
  local state = redis.call('HMGET', record, 'term', 'bytes', 'dropped', 'process')
  if (whole(state[1]) or 0) > tonumber(term) then return { -2, 0, 0, 0, 0, 0 } end
  if over and not state[4] then return { -2, 0, 0, 0, 0, 0 } end
  local length = redis.call('XLEN', stream)
  -- An empty log holds no bytes, whatever was counted before Redis lost some of its data.
  local counted = whole(state[2])
  local bytes = length == 0 and 0 or counted or measure(stream)
  local accepted, present = 0, 0
  local sent, changed = read_sent(record, messages_from + count, origins), {}
  for i = 0, count - 1 do
    local message = ARGV[messages_from + i]
    local boot, seq, subscription
    if origins > 0 then boot, seq, subscription = string.match(ARGV[messages_from + count + i], '^(%w+)%-(%d+) (.*)$') end
    local field = boot and SENT .. subscription
    local last = field and sent[field]
    local again = last and last[1] == boot and tonumber(seq) <= last[2]
    local full = not drop_oldest and (length >= max_entries or bytes + #message > max_bytes)
    local reply = (full or again) and {} or redis.pcall('XADD', stream, term .. '-' .. string.format('%.0f', first + i), 'message', message)
    if again then
      -- A later master may have got newer ones alone, because the worker had dropped this one in the meantime.
      if term_of(last_id(stream)) > tonumber(term) then return { -2, 0, 0, 0, 0, 0 } end
      accepted = accepted + 1
      present = present + 1
    elseif type(reply) == 'string' then
      length = length + 1
      bytes = bytes + #message
      accepted = accepted + 1
      -- Only here: a late copy of a call from before the worker's restart must not bring its number back.
      if field then
        sent[field] = { boot, tonumber(seq) }
        changed[field] = sent[field]
      end
    else
      -- Refused for want of room, because a successor wrote a higher id, or because the entry was there.
      local last_term, last_sequence = string.match(last_id(stream), '^(%d+)-(%d+)$')
      if last_term and tonumber(last_term) > tonumber(term) then return { -2, 0, 0, 0, 0, 0 } end
      if last_term == term and tonumber(last_sequence) >= first + i then
        accepted = accepted + 1
        present = present + 1
      elseif full then
        break
      else
        return reply
      end
    end
  end
  write_sent(record, changed)
  local dropped, freed = 0, 0
  if drop_oldest and (length > max_entries or bytes > max_bytes) then dropped, freed = make_room(stream, length, bytes) end
  if always_write or bytes - freed ~= (counted or 0) then redis.call('HSET', record, 'bytes', string.format('%.0f', bytes - freed)) end
  local dropped_ever = (whole(state[3]) or 0) + dropped
  if dropped > 0 then redis.call('HSET', record, 'dropped', string.format('%.0f', dropped_ever)) end
  return { 1, accepted, present, length - dropped, bytes - freed, dropped_ever }
end

local replies = {}
local at = 7
for key = 1, #KEYS, 2 do
  local stream, record = KEYS[key], KEYS[key + 1]
  local lifetime, first, count, origins = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local reply = append(stream, record, first, at + 4, count, origins)
  if reply.err then return reply end
  if lifetime ~= '0' then
    redis.call('PEXPIRE', stream, lifetime)
    redis.call('PEXPIRE', record, lifetime)
  end
  replies[#replies + 1] = reply
  at = at + 4 + count + origins
end
return replies
