-- @include ../../../election/src/backends/redis/lease/_server.lua
-- A tick may be recorded this long before its time, because comparing clocks over a network is inexact. Milliseconds.
local TOLERANCE = 1000

-- A tick further ahead than this was recorded before the server's clock was set back. It no longer counts. Milliseconds.
local FAR_AHEAD = 60000
