-- @include ../../../../election/src/backends/redis/lease/scripts/_server.lua
-- A tick may be recorded so much before its time: clocks are compared over a network. Milliseconds.
local TOLERANCE = 1000

-- A record that is so far ahead was written before the server's clock was set back, and counts no more. Milliseconds.
local FAR_AHEAD = 60000
