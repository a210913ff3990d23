-- Dead letters cannot be stored while another program has made their key one of another type. The call is repeated until it was set aside.
local function refused_letters(letters)
  local kind = redis.call('TYPE', letters).ok
  if kind == 'none' or kind == 'stream' then return nil end
  return redis.error_reply('WRONGTYPE ' .. letters .. ' is a ' .. kind)
end
