-- Creates the stream and the consumer group of one process and enters the process in the set of those that have one.
-- KEYS[1] stream
-- KEYS[2] sorted set of the processes that have a stream, see `reroute.lua`
-- ARGV[1] group
-- ARGV[2] process id
-- Returns 1 if the group was created, 0 if it was there.
local stream, streams = KEYS[1], KEYS[2]
local group, process = ARGV[1], ARGV[2]

redis.call('ZADD', streams, 'NX', 0, process)
local reply = redis.pcall('XGROUP', 'CREATE', stream, group, '0', 'MKSTREAM')
if type(reply) == 'table' and reply.err then
  if string.find(reply.err, 'BUSYGROUP', 1, true) then return 0 end
  return reply
end
return 1
