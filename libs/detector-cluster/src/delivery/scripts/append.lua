-- Appends detections to the stream of one process, all or none but for a full backlog, and keeps the backlog in bounds.
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
