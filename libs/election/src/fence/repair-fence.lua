-- Replaces a fence that holds no term. The highest term that is known to have begun takes its place, so that the fence does not fall.
-- KEYS[1] fence
-- KEYS[2] JSON record of the leader, which writes its term there in the step in which it raises the fence
-- ARGV[1] term of the caller, which leads
local fence, master, term = KEYS[1], KEYS[2], tonumber(ARGV[1])

local stored = redis.pcall('GET', fence)
if type(stored) == 'string' and string.match(stored, '^%d+$') and tonumber(stored) <= 9007199254740991 then return end
local text = redis.pcall('GET', master)
local readable, record = pcall(cjson.decode, type(text) == 'string' and text or '')
local begun = readable and type(record) == 'table' and type(record.term) == 'number' and record.term or 0
if begun > 9007199254740991 then begun = 0 end
redis.call('SET', fence, string.format('%.0f', math.max(term, begun)))
