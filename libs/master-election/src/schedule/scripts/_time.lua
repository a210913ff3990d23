-- @include ../../../../election/src/backends/redis/lease/scripts/_server.lua
-- A tick may be recorded this long before its time, because clocks are compared over a network. Milliseconds.
local TOLERANCE = 1000

-- A record this far ahead was written before the server's clock was set back, and no longer counts. Milliseconds.
local FAR_AHEAD = 60000
