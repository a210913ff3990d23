-- Writes a stream again without the messages of finished detections whose batches are not finished, under the same ids. So a callback
-- that is slow takes the room of its own detections, not that of all detections that came with them.
-- @include _batches.lua
-- @include _last-id.lua

local function cleared_text(fields, mask)
  local lines = lines_of(fields)
  for i = 1, #lines do
    if string.sub(mask, i, i) == '1' then lines[i] = '' end
  end
  return table.concat(lines, '\n')
end

-- It reads and writes the whole stream. So it does that only where a quarter of the detections is to be cleared. Returns the bytes that it
-- has freed.
local function compact(stream, record, unfinished)
  local all, marks, finished = redis.call('HGETALL', record), {}, 0
  for i = 1, #all, 2 do
    if string.sub(all[i], 1, #DONE) == DONE then
      local mask, _, cleared = read_done(all[i + 1])
      if mask then
        marks[string.sub(all[i], #DONE + 1)] = mask
        finished = finished + ones(mask) - cleared
      end
    end
  end
  if finished == 0 or finished * 3 < unfinished then return 0 end
  local last = last_id(stream)
  local entries = redis.call('XRANGE', stream, '-', '+')
  local freed = 0
  if #entries > 0 then redis.call('DEL', stream) end
  for _, entry in ipairs(entries) do
    local id, fields = entry[1], entry[2]
    local mask = marks[id]
    if mask then
      marks[id] = nil
      local text = cleared_text(fields, mask)
      freed = freed + #fields[4] - #text
      fields[4] = text
      redis.call('HSET', record, DONE .. id, write_done(mask, #text, ones(mask)))
    end
    redis.call('XADD', stream, id, unpack(fields))
  end
  -- Redis has lost their entries.
  for id in pairs(marks) do redis.call('HDEL', record, DONE .. id) end
  if #entries > 0 and entries[#entries][1] ~= last then
    -- Only an entry sets the highest id on every server.
    redis.call('XADD', stream, last, 'detections', 0, 'messages', '')
    redis.call('XDEL', stream, last)
  end
  return freed
end
