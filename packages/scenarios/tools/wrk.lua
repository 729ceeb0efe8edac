-- For wrk: what it sends, and what it says at the end (one line of JSON). Everything comes from the environment:
--
--   RIG_CLOSE         "true": a new connection for each request
--   RIG_BODIES        files with the bodies to POST, one name a line, sent in turn; without it, GET
--   RIG_CONTENT_TYPE  of the bodies
--   RIG_REQUESTS      files with whole requests, one name a line, in place of the three above
--   RIG_ORDER         their numbers from 1 on, in the order in which they are sent

local PERCENTILES = { 50, 75, 90, 95, 97.5, 99, 99.9, 99.99 }

-- Finding the i-th value takes wrk as many steps as it has µs. So much of this takes about a second.
local MOST_STEPS = 1e9

local function files(variable)
   local contents = {}
   for name in string.gmatch(os.getenv(variable) or "", "[^\n]+") do
      local file = assert(io.open(name, "rb"))
      contents[#contents + 1] = file:read("*a")
      file:close()
   end
   return contents
end

local bodies, whole, order = files("RIG_BODIES"), files("RIG_REQUESTS"), {}
for number in string.gmatch(os.getenv("RIG_ORDER") or "", "%d+") do order[#order + 1] = tonumber(number) end

if os.getenv("RIG_CLOSE") == "true" then wrk.headers["Connection"] = "close" end
if #bodies > 0 then wrk.headers["Content-Type"] = os.getenv("RIG_CONTENT_TYPE") end

-- Made once for each thread: what is asked for each request only picks.
local requests, at = {}, 0

function init()
   for i, body in ipairs(bodies) do requests[i] = wrk.format("POST", nil, nil, body) end
   -- Threads begin at different bodies.
   at = math.floor(os.clock() * 1e6) % math.max(1, #bodies, #order)
end

-- wrk looks for the name: without it, it sends the same GET without asking.
if #whole == 1 then
   wrk.format = function() return whole[1] end
elseif #whole > 1 then
   request = function()
      at = at % #order + 1
      return whole[order[at]]
   end
elseif #bodies > 0 then
   request = function()
      at = at % #requests + 1
      return requests[at]
   end
end

-- Values above 999 µs to three digits, as an HDR histogram has them.
local function rounded(us)
   local step = 10 ^ math.max(0, math.floor(math.log10(math.max(us, 1))) - 2)
   return math.floor(us / step + 0.5) * step
end

-- All latencies as [µs, how many], so that those of several short runs can be added; nothing where it would take too long.
local function histogram(latency)
   if #latency * latency.max > MOST_STEPS then return "" end
   local rows, last, sum = {}, nil, 0
   for i = 1, #latency do
      local us, count = latency(i)
      -- An older wrk gives no counts.
      if not count then return "" end
      us = rounded(us)
      if us ~= last and last then
         rows[#rows + 1] = string.format("[%d,%d]", last, sum)
         sum = 0
      end
      last, sum = us, sum + count
   end
   if last then rows[#rows + 1] = string.format("[%d,%d]", last, sum) end
   return table.concat(rows, ",")
end

function done(summary, latency)
   local rows = {}
   for i, p in ipairs(PERCENTILES) do
      rows[i] = string.format("[%s,%d]", p, latency:percentile(p))
   end
   local e = summary.errors
   local failures = string.format(
      '{"connect":%d,"read":%d,"write":%d,"timeout":%d,"status":%d}',
      e.connect, e.read, e.write, e.timeout, e.status
   )
   local times = string.format(
      '{"min":%d,"max":%d,"mean":%.3f,"stdev":%.3f,"percentiles":[%s],"histogram":[%s]}',
      latency.min, latency.max, latency.mean, latency.stdev, table.concat(rows, ","), histogram(latency)
   )
   io.write(string.format(
      '{"type":"result","duration_us":%d,"requests":%d,"bytes":%d,"failures":%s,"latency_us":%s}\n',
      summary.duration, summary.requests, summary.bytes, failures, times
   ))
end
