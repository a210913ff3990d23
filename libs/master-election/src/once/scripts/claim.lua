-- Takes the work if it is not done and nobody has it, or extends the lease of its owner.
--
-- KEYS  1 record of the work (hash: done, or owner, until; term)
-- ARGV  1 owner, unique for each claim   2 length of the lease, ms   3 '1' to extend only, '' to take as well
--       4 quiet time after a restart of the server, s
-- Returns  {2}                     done
--          {1, term}               held by the caller
--          {0, term, left}         held by somebody else for `left` ms more; 0 when by nobody
--          {-1, wait}              the server started too short a while ago; wait in ms
local owner, ttl, extendOnly, quiet = ARGV[1], tonumber(ARGV[2]), ARGV[3] == '1', tonumber(ARGV[4])

local record = redis.call('HMGET', KEYS[1], 'done', 'owner', 'until', 'term')
if record[1] then
  return { 2 }
end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local term = record[4] or '0'
if record[2] ~= owner then
  local left = record[2] and tonumber(record[3]) - now or 0
  if left > 0 or extendOnly then
    return { 0, term, math.max(left, 0) }
  end
  -- Whoever had it before a restart that lost data may still be at work.
  local uptime = string.match(redis.call('INFO', 'server'), 'uptime_in_seconds:(%d+)')
  local wait = (quiet - tonumber(uptime)) * 1000
  if wait > 0 then
    return { -1, wait }
  end
  term = string.format('%.0f', math.max(tonumber(term) + 1, now))
end
redis.call('HSET', KEYS[1], 'owner', owner, 'term', term, 'until', string.format('%.0f', now + ttl))
return { 1, term }
