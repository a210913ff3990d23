-- Writes what is wanted of a worker, unless somebody else has written meanwhile.
-- KEYS[1] hash of directives
-- ARGV[1] worker
-- ARGV[2] what stood there when it was read; empty: nothing
-- ARGV[3] what is to stand there
-- Returns 1 when it does now, 0 when something else stands there than was read.
local directives = KEYS[1]
local worker, before, after = ARGV[1], ARGV[2], ARGV[3]

if (redis.call('HGET', directives, worker) or '') ~= before then return 0 end
redis.call('HSET', directives, worker, after)
return 1
