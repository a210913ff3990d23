-- Replaces the directive of a worker, unless another process has changed it since it was read.
-- KEYS[1] hash of directives
-- ARGV[1] worker
-- ARGV[2] the value that was read; empty: none
-- ARGV[3] the new value; empty: none
-- Returns 1 when the new value is stored, 0 when the stored value is not the one that was read.
local directives = KEYS[1]
local worker, before, after = ARGV[1], ARGV[2], ARGV[3]

if (redis.call('HGET', directives, worker) or '') ~= before then return 0 end
if after == '' then
  redis.call('HDEL', directives, worker)
else
  redis.call('HSET', directives, worker, after)
end
return 1
