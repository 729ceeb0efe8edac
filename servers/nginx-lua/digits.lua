-- SPDX-License-Identifier: MIT
-- Adds up the integers in a text without losing a digit. The text is known to be a flat array of JSON integers.
--
-- Each number is cut into three limbs of at most nine digits, and limbs are added as doubles: exact for nine million
-- numbers, which is more than a body can hold.
local BASE = 1e9
local MOST = "9223372036854775807" -- 2^63 - 1

local function fits(digits)
	return #digits < #MOST or (#digits == #MOST and digits <= MOST)
end

-- As decimal digits without leading zeros.
local function written(high, middle, low)
	return (string.format("%d%09d%09d", high, middle, low):gsub("^0+(%d)", "%1"))
end

-- The sum in decimal, or nil where a number or the sum is beyond ±(2^63 - 1).
return function(text)
	local high, middle, low = 0, 0, 0
	for sign, digits in text:gmatch("(%-?)(%d+)") do
		if not fits(digits) then
			return nil
		end
		local unit = sign == "-" and -1 or 1
		low = low + unit * tonumber(digits:sub(-9))
		if #digits > 9 then
			middle = middle + unit * tonumber(digits:sub(-18, -10))
		end
		if #digits > 18 then
			high = high + unit * tonumber(digits:sub(1, -19))
		end
	end
	-- The limbs may have different signs: carry with floor, so that the lower ones end in 0 … BASE - 1 and the highest
	-- has the sign of the whole; a negative sum is then negated and carried again.
	local function carry()
		local over = math.floor(low / BASE)
		low, middle = low - over * BASE, middle + over
		over = math.floor(middle / BASE)
		middle, high = middle - over * BASE, high + over
	end
	carry()
	local sign = ""
	if high < 0 then
		sign, high, middle, low = "-", -high, -middle, -low
		carry()
	end
	local digits = written(high, middle, low)
	if not fits(digits) then
		return nil
	end
	return sign .. digits
end
