-- A whole number that a field holds; nil when it is missing, or when another program has written something else.
local function whole(text)
  return text and string.match(text, '^%-?%d+$') and tonumber(text) or nil
end

-- Bytes of all messages of a stream.
local function measure(stream)
  local PAGE, bytes, from = 100, 0, '-'
  while true do
    local page = redis.call('XRANGE', stream, from, '+', 'COUNT', PAGE)
    for _, entry in ipairs(page) do bytes = bytes + #entry[2][2] end
    if #page < PAGE then return bytes end
    from = '(' .. page[#page][1]
  end
end
