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
