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
