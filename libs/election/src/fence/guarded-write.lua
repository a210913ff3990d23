-- Writes on behalf of the leader of one term, unless a leader of a later term has written before.
--
-- KEYS[1]   the fence: the highest term that has written
-- KEYS[2…]  keys to write
-- ARGV[1]   the writer's term
-- ARGV[2…]  commands: name, position of the key in KEYS, number of further arguments, these arguments
--
-- Returns {1, fence, replies} when written, {-1, fence} when refused, {-2, value} when the fence holds no term, '' for a value of
-- another type; the fence as a string.

local fenceKey = KEYS[1]
local term = tonumber(ARGV[1])

local stored = redis.pcall('GET', fenceKey) or '0'
if type(stored) ~= 'string' then
  return { -2, '' }
end
-- Lua would read 'nan' or '0x1' as a number, too. The number is the highest whole one that is exact.
if not string.match(stored, '^%d+$') or tonumber(stored) > 9007199254740991 then
  return { -2, stored }
end
local fence = tonumber(stored)
if fence > term then
  return { -1, string.format('%.0f', fence) }
end
if fence < term then
  redis.call('SET', fenceKey, string.format('%.0f', term))
end

local replies = {}
local at = 2
while ARGV[at] do
  local name, key, count = ARGV[at], KEYS[tonumber(ARGV[at + 1])], tonumber(ARGV[at + 2])
  replies[#replies + 1] = redis.call(name, key, unpack(ARGV, at + 3, at + 2 + count))
  at = at + 3 + count
end
return { 1, string.format('%.0f', term), replies }
