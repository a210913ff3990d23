// Generated from the Lua files of this folder by `npm run generate`. Do not edit.
export const guardedWrite = `-- Writes hashes on behalf of the master of one term, unless a master of a later term has written before.
--
-- KEYS[1]   the fence: the highest term that has written
-- KEYS[2…]  hashes to write
-- ARGV[1]   the writer's term
-- ARGV[2…]  operations, four arguments each: name ('hset' | 'hdel' | 'del'), index of the key in KEYS, field, value
--
-- Returns {1, fence} when written, {-1, fence} when refused; the fence as a string.
-- Idempotent: applied twice it leaves the same state.

local fenceKey = KEYS[1]
local term = tonumber(ARGV[1])

local fence = tonumber(redis.call('GET', fenceKey) or '0')
if fence > term then
  return { -1, string.format('%.0f', fence) }
end
if fence < term then
  redis.call('SET', fenceKey, string.format('%.0f', term))
end

for i = 2, #ARGV, 4 do
  local name, key, field, value = ARGV[i], KEYS[tonumber(ARGV[i + 1])], ARGV[i + 2], ARGV[i + 3]
  if name == 'hset' then
    redis.call('HSET', key, field, value)
  elseif name == 'hdel' then
    redis.call('HDEL', key, field)
  else
    redis.call('DEL', key)
  end
end
return { 1, string.format('%.0f', term) }
`;
