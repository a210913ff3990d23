-- The highest id that the stream ever had; '' for a stream that does not exist.
local function last_id(stream)
  local info = redis.pcall('XINFO', 'STREAM', stream)
  if info.err then return '' end
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then return info[i + 1] end
  end
end

local function term_of(id)
  return tonumber(string.match(id, '^(%d+)-') or '0')
end
