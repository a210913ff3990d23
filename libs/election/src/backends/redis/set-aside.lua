-- Renames keys that hold another type than they should, so that they can be written again.
--
-- KEYS  for each key: the key, its name while it is set aside
-- ARGV  1 for how long it is kept then, ms   2… for each key: the type that it should have
-- Returns  for each key: the type that it had, or '' if that is right
local replies = {}
for i = 1, #KEYS, 2 do
  local key, aside, expected = KEYS[i], KEYS[i + 1], ARGV[(i + 1) / 2 + 1]
  local found = redis.call('TYPE', key).ok
  if found == expected or found == 'none' then
    found = ''
  else
    redis.call('RENAME', key, aside)
    redis.call('PEXPIRE', aside, ARGV[1])
  end
  replies[#replies + 1] = found
end
return replies
