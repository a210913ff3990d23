-- How many connections listen to a channel; -1 when unknown (a proxy, restricted rights, not requested).
-- `count` is the subcommand to use: NUMSUB, on a cluster SHARDNUMSUB, '' for none.
local function listeners(count, channel)
  if count == '' then
    return -1
  end
  local reply = redis.pcall('PUBSUB', count, channel)
  if type(reply) ~= 'table' or reply.err or not reply[2] then
    return -1
  end
  return tonumber(reply[2])
end
