-- For wrk: `wrk … -s servers.lua URL -- RATE` sends RATE requests a second, whatever the answers take; RATE 0 is closed loop.
-- Ends with one line of JSON. One thread only: the schedule is the thread's.
local ffi = require("ffi")
ffi.cdef("typedef struct { long s, ns; } rig_time; int clock_gettime(int, rig_time *);")
local MONOTONIC, LATE_MS = 1, 20
local time = ffi.new("rig_time")
local interval, next_at = 0, 0

function init(args)
   local rate = tonumber(args[1]) or 0
   if rate > 0 then interval = 1000 / rate end
end

-- wrk asks after each answer how many ms this connection has to wait; the next free place in the schedule is its.
local function wait()
   if interval == 0 then return 0 end
   ffi.C.clock_gettime(MONOTONIC, time)
   local now = tonumber(time.s) * 1000 + tonumber(time.ns) / 1e6
   -- What was missed while frozen, or by a server that cannot keep up, is not made up for in a burst.
   if next_at < now - LATE_MS then next_at = now end
   local left = next_at - now
   next_at = next_at + interval
   return left > 0 and left or 0
end

-- wrk looks for the name when it starts: without it, it does not ask at all.
if os.getenv("RIG_PACED") then delay = wait end

function done(summary)
   local e = summary.errors
   io.write(string.format('{"requests":%d,"bytes":%d,"connect":%d,"read":%d,"write":%d,"status":%d}\n',
      summary.requests, summary.bytes, e.connect, e.read, e.write, e.status))
end
