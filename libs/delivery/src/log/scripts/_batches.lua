-- An entry is a batch: the number of its detections, and their messages, one a line. A field `done:<id>` of the record exists while some of
-- these detections are finished and others are not: `<mask> <bytes> <cleared>`. The mask has a 1 for each detection that is finished.
-- The entry has so many bytes of messages, and so many lines of finished detections have been cleared.
-- @include _numbers.lua
local DONE = 'done:'

-- The messages of an entry and their number. An entry of another program counts as one detection.
local function batch_of(fields)
  local count = #fields == 4 and fields[1] == 'detections' and whole(fields[2])
  if count then return fields[4], count end
  return fields[2], 1
end

local function lines_of(fields)
  local text, count = batch_of(fields)
  if count == 1 then return { text } end
  local lines = {}
  for line in string.gmatch(text .. '\n', '(.-)\n') do lines[#lines + 1] = line end
  return lines
end

local function ones(mask)
  return select(2, string.gsub(mask, '1', ''))
end

-- Mask, bytes of the messages, cleared lines; nil if no detection of the batch is finished.
local function read_done(value)
  if not value then return nil end
  local mask, bytes, cleared = string.match(value, '^(%d+) (%d+) (%d+)$')
  return mask, tonumber(bytes), tonumber(cleared)
end

local function write_done(mask, bytes, cleared)
  return mask .. string.format(' %.0f %.0f', bytes, cleared)
end

-- Bytes of all messages of a stream, and its unfinished detections.
local function measure(stream, record)
  local PAGE, bytes, detections, from = 16, 0, 0, '-'
  while true do
    local page = redis.call('XRANGE', stream, from, '+', 'COUNT', PAGE)
    for _, entry in ipairs(page) do
      local text, count = batch_of(entry[2])
      local mask = read_done(redis.call('HGET', record, DONE .. entry[1]))
      bytes = bytes + #text
      detections = detections + count - (mask and ones(mask) or 0)
    end
    if #page < PAGE then return bytes, detections end
    from = '(' .. page[#page][1]
  end
end
