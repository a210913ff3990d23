-- Replaces or removes a request whose secrets a process holds, unless it was withdrawn, or another process has made it since.
-- KEYS[1] hash of requests
-- ARGV[1] id of the start of the process
-- ARGV[2] subscription
-- ARGV[3] the new record; empty: remove it
-- Returns 1 when that is done, 0 when the request is not of this process.
local requests = KEYS[1]
local boot, subscription, record = ARGV[1], ARGV[2], ARGV[3]

local stored = redis.call('HGET', requests, subscription)
if not stored then return 0 end
local readable, value = pcall(cjson.decode, stored)
if not readable or type(value) ~= 'table' or type(value.requester) ~= 'table' then return 0 end
if value.requester.bootId ~= boot then return 0 end
if record == '' then
  redis.call('HDEL', requests, subscription)
else
  redis.call('HSET', requests, subscription, record)
end
return 1
