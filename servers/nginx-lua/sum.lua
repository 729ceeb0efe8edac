-- SPDX-License-Identifier: MIT
-- POST /json-sum with lua-cjson. Returns the handler of a request.
--
-- cjson makes doubles of numbers, and they are exact below 2^53. So the usual case is cjson and a loop; only where a
-- number or the sum on its way gets larger are the digits of the body added up themselves.
local cjson = require("cjson.safe").new()
local read = require("body")
local sum_of_digits = require("digits")

cjson.decode_invalid_numbers(false) -- no 0x10, no leading zeros, no Infinity
local EXACT = 2 ^ 53

-- The sum in decimal; nil where the body is no array of integers or the sum does not fit.
local function sum_of(body)
	-- Only digits, signs, blanks and brackets: no fraction, exponent, text, null or object can pass.
	if body:find("[^%d%s,%[%]%-]") then
		return nil
	end
	local numbers = cjson.decode(body)
	if type(numbers) ~= "table" then
		return nil
	end
	local total, exact = 0, true
	for i = 1, #numbers do
		local n = numbers[i]
		if type(n) ~= "number" then
			return nil -- an array in the array
		end
		total = total + n
		if n >= EXACT or n <= -EXACT or total >= EXACT or total <= -EXACT then
			exact = false
		end
	end
	if exact then
		return string.format("%d", total)
	end
	return sum_of_digits(body)
end

return function()
	if ngx.req.get_method() ~= "POST" then
		ngx.header["Allow"] = "POST"
		return ngx.exit(405)
	end
	local total = sum_of(read())
	if not total then
		return ngx.exit(400)
	end
	local response = "sum = " .. total
	ngx.header["Content-Length"] = #response -- without it nginx sends chunks
	ngx.print(response)
end
