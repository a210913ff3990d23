-- A whole number that a field holds; nil when it is missing, or when another program has written something else.
local function whole(text)
  return text and string.match(text, '^%-?%d+$') and tonumber(text) or nil
end
