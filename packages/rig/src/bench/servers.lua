-- For wrk: `wrk -t 1 … -s servers.lua URL -- RATE BEGIN SLOT ACTIVE COUNT PLACES`, times in ms of the monotonic clock.
--
-- COUNT loads take turns, a SLOT each; PLACES ("0,2,1") says which slot of each round, from 0, is this one's. In the
-- first ACTIVE ms of it RATE requests a second are sent, however long responses take; then it is quiet. So nobody has to
-- freeze it, and what is counted between two of its slots are whole responses. With RATE 0 it is an ordinary closed loop.
-- Ends with one line of JSON. One thread only: the schedule is the thread's.
local ffi = require("ffi")
ffi.cdef("typedef struct { long s, ns; } rig_time; int clock_gettime(int, rig_time *);")
local MONOTONIC = 1
local time = ffi.new("rig_time")
local interval, begin, slot, active, count
local places = {}
local round, next_at, closes_at = -1, 0, 0

local function next_window()
   round = round + 1
   local place = places[round % #places + 1]
   next_at = begin + (round * count + place) * slot
   closes_at = next_at + active
end

function init(args)
   local rate = tonumber(args[1]) or 0
   if rate == 0 then return end
   interval = 1000 / rate
   begin, slot, active, count = tonumber(args[2]), tonumber(args[3]), tonumber(args[4]), tonumber(args[5])
   for place in args[6]:gmatch("%d+") do places[#places + 1] = tonumber(place) end
   next_window()
end

-- wrk asks after each response how many ms this connection has to wait: until the next free place in the schedule. A
-- place that was missed while the core was taken away is used late; well after the window, what is left is dropped.
local function wait()
   ffi.C.clock_gettime(MONOTONIC, time)
   local now = tonumber(time.s) * 1000 + tonumber(time.ns) / 1e6
   while next_at >= closes_at or now >= closes_at + (slot - active) / 2 do next_window() end
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
