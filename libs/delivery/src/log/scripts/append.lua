-- Appends batches of detections to logs and keeps each log within its limits. The only script that adds entries to a log.
-- A call that is repeated because its reply was lost changes nothing: ids of a log rise within a term, so a batch whose id
-- is not above the last one is already in the log, or has been finished since.
-- A worker that numbers its detections sends to the next master again what it does not know to be accepted. The record has the last number
-- of each subscription, so that such a detection is not added a second time, under a new id.
-- KEYS per log: stream, owner record
-- ARGV[1] term
-- ARGV[2] most unfinished detections of a log
-- ARGV[3] most bytes of messages in a log
-- ARGV[4] 1: drop the oldest entries beyond a limit; 0: refuse new ones
-- ARGV[5] 1: write also when all entries are there, so that WAIT on this connection covers them
-- ARGV[6] 1: the term of the writer is over, which then writes only to logs that have an owner. Without one, Redis may have lost what
--   later terms have written. Listener streams have none: their readers write the record again after a loss
-- ARGV[7..] per log: lifetime in ms or 0, sequence of the first detection, number of batches, number of origins; per batch the number of its
--   detections and their messages, one a line (sequences are consecutive); and of none or each of the detections
--   `<boot>-<seq> <subscription>`, or '' if its worker does not number detections
-- Returns per log {code, accepted, of these already there, unfinished, bytes, dropped since the log exists}, all but the bytes in detections
--   code 1: done; where accepted is less than given, the rest was refused because the log is full
--   code -2: a later term has written or granted here, or may have; nothing was written
-- @include _compact.lua
local term, max_detections, max_bytes = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local drop_oldest, always_write, over = ARGV[4] == '1', ARGV[5] == '1', ARGV[6] == '1'
local DROP_PER_CALL, PAGE = 5000, 8
-- Most fields of a record, to bound what subscriptions that ended leave behind.
local MAX_FIELDS, SENT = 10000, 'sent:'
-- Most values that unpack gives to a command: Lua has room for 8,000.
local MAX_VALUES = 4000
local DEPOSED = { -2, 0, 0, 0, 0, 0 }

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
  if redis.call('HLEN', record) > MAX_FIELDS then
    -- HGETALL, because a user of Redis with the documented rights may not call HKEYS.
    local all = redis.call('HGETALL', record)
    for i = 1, #all, 2 do
      if string.sub(all[i], 1, #SENT) == SENT then redis.call('HDEL', record, all[i]) end
    end
  end
  for from = 1, #fields, MAX_VALUES do
    redis.call('HSET', record, unpack(fields, from, math.min(from + MAX_VALUES - 1, #fields)))
  end
end

-- Leaves out the detections that the log has had. Returns the messages of the others, their number, and the numbers to remember.
local function without_repeated(text, count, from, sent)
  local news, kept = {}, {}
  for i = 1, count do
    local boot, seq, subscription = string.match(ARGV[from + i - 1], '^(%w+)%-(%d+) (.*)$')
    local field = boot and SENT .. subscription
    local last = field and (news[field] or sent[field])
    if not (last and last[1] == boot and tonumber(seq) <= last[2]) then
      kept[#kept + 1] = i
      if field then news[field] = { boot, tonumber(seq) } end
    end
  end
  if #kept == count then return text, count, news end
  local lines = lines_of({ 'detections', tostring(count), 'messages', text })
  for at, i in ipairs(kept) do kept[at] = lines[i] end
  return table.concat(kept, '\n'), #kept, news
end

-- Deletes the oldest entries until both limits hold. Returns the unfinished detections and the bytes that are left, and how many were dropped.
local function make_room(stream, record, detections, bytes)
  local dropped = 0
  if bytes > max_bytes then bytes = bytes - compact(stream, record, detections) end
  local function is_done() return dropped >= DROP_PER_CALL or (detections <= max_detections and bytes <= max_bytes) end
  while not is_done() do
    local going, marks = 0, {}
    for _, entry in ipairs(redis.call('XRANGE', stream, '-', '+', 'COUNT', PAGE)) do
      if is_done() then break end
      local text, count = batch_of(entry[2])
      local mask = read_done(redis.call('HGET', record, DONE .. entry[1]))
      if mask then
        count = count - ones(mask)
        marks[#marks + 1] = DONE .. entry[1]
      end
      bytes = bytes - #text
      detections = detections - count
      dropped = dropped + count
      going = going + 1
    end
    if going == 0 then break end
    redis.call('XTRIM', stream, 'MAXLEN', '=', redis.call('XLEN', stream) - going)
    if #marks > 0 then redis.call('HDEL', record, unpack(marks)) end
  end
  return detections, bytes, dropped
end

local function append(stream, record, first, batches, batches_from, origins)
  local origins_from = batches_from + 2 * batches
  local state = redis.call('HMGET', record, 'term', 'bytes', 'detections', 'dropped', 'process')
  if (whole(state[1]) or 0) > tonumber(term) then return DEPOSED end
  if over and not state[5] then return DEPOSED end
  local counted_bytes, counted = whole(state[2]), whole(state[3])
  local bytes, detections = counted_bytes, counted
  -- An empty log holds nothing, whatever was counted before Redis lost some of its data.
  if redis.call('XLEN', stream) == 0 then bytes, detections = 0, 0
  elseif not bytes or not detections then bytes, detections = measure(stream, record) end
  local accepted, present, has_compacted = 0, 0, drop_oldest
  local sent, changed = read_sent(record, origins_from, origins), {}
  for b = 1, batches do
    local count, text = tonumber(ARGV[batches_from + 2 * b - 2]), ARGV[batches_from + 2 * b - 1]
    local id = term .. '-' .. string.format('%.0f', first)
    local fresh, news = count, {}
    if origins > 0 then
      text, fresh, news = without_repeated(text, count, origins_from, sent)
      origins_from = origins_from + count
    end
    if fresh < count and term_of(last_id(stream)) > tonumber(term) then
      -- A later master may have got newer ones alone, because the worker had dropped these in the meantime.
      return DEPOSED
    end
    if fresh == 0 then
      accepted = accepted + count
      present = present + count
    else
      if not has_compacted and bytes + #text > max_bytes then
        bytes = bytes - compact(stream, record, detections)
        has_compacted = true
      end
      local full = not drop_oldest and (detections + fresh > max_detections or bytes + #text > max_bytes)
      local reply = full and {} or redis.pcall('XADD', stream, id, 'detections', fresh, 'messages', text)
      if type(reply) == 'string' then
        detections = detections + fresh
        bytes = bytes + #text
        accepted = accepted + count
        present = present + count - fresh
        -- Only here: a late copy of a call from before the worker's restart must not bring its number back.
        for field, last in pairs(news) do
          sent[field] = last
          changed[field] = last
        end
      else
        -- Refused for want of room, because a successor wrote a higher id, or because the entry was there.
        local last_term, last_sequence = string.match(last_id(stream), '^(%d+)-(%d+)$')
        if last_term and tonumber(last_term) > tonumber(term) then return DEPOSED end
        if last_term == term and tonumber(last_sequence) >= first then
          accepted = accepted + count
          present = present + count
        elseif full then
          break
        else
          return reply
        end
      end
    end
    first = first + count
  end
  write_sent(record, changed)
  local dropped = 0
  if drop_oldest and (detections > max_detections or bytes > max_bytes) then
    detections, bytes, dropped = make_room(stream, record, detections, bytes)
  end
  if always_write or bytes ~= (counted_bytes or 0) or detections ~= (counted or 0) then
    redis.call('HSET', record, 'bytes', string.format('%.0f', bytes), 'detections', string.format('%.0f', detections))
  end
  local dropped_ever = (whole(state[4]) or 0) + dropped
  if dropped > 0 then redis.call('HSET', record, 'dropped', string.format('%.0f', dropped_ever)) end
  return { 1, accepted, present, detections, bytes, dropped_ever }
end

local replies = {}
local at = 7
for key = 1, #KEYS, 2 do
  local stream, record = KEYS[key], KEYS[key + 1]
  local lifetime, first, batches, origins = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local reply = append(stream, record, first, batches, at + 4, origins)
  if reply.err then return reply end
  if lifetime ~= '0' then
    redis.call('PEXPIRE', stream, lifetime)
    redis.call('PEXPIRE', record, lifetime)
  end
  replies[#replies + 1] = reply
  at = at + 4 + 2 * batches + origins
end
return replies
