-- Tells processes which version of their interests the master routes by.
-- KEYS[1] fence: the highest term that has written
-- KEYS[2] hash of the interests that the master has seen
-- ARGV[1] term
-- ARGV[2..] per process: id, version
-- Returns 1, or -2 if a later term has written.
local fence_key, seen = KEYS[1], KEYS[2]
local term = ARGV[1]

local fence = tonumber(redis.call('GET', fence_key) or '0')
if fence > tonumber(term) then return -2 end
if fence < tonumber(term) then redis.call('SET', fence_key, term) end

for at = 2, #ARGV, 2 do redis.call('HSET', seen, ARGV[at], ARGV[at + 1]) end
return 1
