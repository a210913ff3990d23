-- Publishes the leader, with the time of the server. Stores nothing.
--
-- KEYS  none
-- ARGV  1 channel   2 leader, '' for none   3 id of the writer   4 kind   5 number of the election
-- Returns  the number of subscribers that received it
local channel, leader, by, kind, election = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local time = redis.call('TIME')
local at = string.format('%.3f', tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000)
local record = '{"leader":' .. (leader == '' and 'null' or cjson.encode(leader))
  .. ',"by":' .. cjson.encode(by)
  .. ',"kind":' .. cjson.encode(kind)
  .. ',"election":' .. election
  .. ',"at":' .. at .. '}'
return redis.call('PUBLISH', channel, record)
