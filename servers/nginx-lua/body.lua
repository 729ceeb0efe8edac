-- SPDX-License-Identifier: MIT
-- The whole body of a request as a string: nginx keeps a small one in memory and a large one in a file.
return function()
	ngx.req.read_body()
	local body = ngx.req.get_body_data()
	if body then
		return body
	end
	local name = ngx.req.get_body_file()
	local file = name and io.open(name, "rb")
	if not file then
		return ""
	end
	body = file:read("*a")
	file:close()
	return body or ""
end
