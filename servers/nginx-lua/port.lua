-- SPDX-License-Identifier: MIT
-- Is the port free? SO_REUSEPORT spreads the load evenly over the workers, but would also share the port in silence
-- with a forgotten server of the same user. A socket without it, bound for a moment, shows whether somebody is there.
local ffi = require("ffi")
local C = ffi.C

ffi.cdef([[
int socket(int domain, int type, int protocol);
int setsockopt(int fd, int level, int name, const void *value, unsigned len);
int bind(int fd, const void *address, unsigned len);
int close(int fd);
int inet_pton(int family, const char *text, void *address);
char *strerror(int error);
]])

local AF_INET, AF_INET6, SOCK_STREAM, SOL_SOCKET, SO_REUSEADDR = 2, 10, 1, 1, 2 -- Linux

-- struct sockaddr_in and sockaddr_in6: family (the host's byte order), port (the network's), then the address.
local function socket_address(address, port)
	local family = address:find(":") and AF_INET6 or AF_INET
	local bytes = ffi.new("uint8_t[28]")
	ffi.cast("uint16_t *", bytes)[0] = family
	bytes[2], bytes[3] = math.floor(port / 256), port % 256
	local v6 = family == AF_INET6
	local known = C.inet_pton(family, address, bytes + (v6 and 8 or 4)) == 1
	return known and bytes, v6 and 28 or 16, family
end

-- Nothing where the port can be had, else a sentence that says why not.
return function(address, port)
	local bytes, length, family = socket_address(address, port)
	if not bytes then
		return address .. " is not a numeric IPv4 or IPv6 address"
	end
	local fd = C.socket(family, SOCK_STREAM, 0)
	C.setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, ffi.new("int[1]", 1), 4)
	local bound = C.bind(fd, bytes, length)
	local reason = ffi.errno()
	C.close(fd)
	if bound ~= 0 then
		return "cannot listen on " .. address .. " port " .. port .. ": " .. ffi.string(C.strerror(reason))
	end
end
