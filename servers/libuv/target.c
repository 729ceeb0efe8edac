/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "target.h"

#include <string.h>
#include <strings.h>

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The segments are looked at after decoding, so that %2e%2e and ..%2f are what they mean. */
static int bad_segment(const char *start, const char *end)
{
	return (end - start == 1 && start[0] == '.') || (end - start == 2 && start[0] == '.' && start[1] == '.');
}

long target_path(const char *target, size_t len, char path[PATH_LIMIT])
{
	const char *p = target, *end = target + len;
	char *out = path, *segment = path;

	if (len > 7 && strncasecmp(p, "http://", 7) == 0) { /* absolute form: the host is not looked at */
		p = memchr(p + 7, '/', len - 7);
		if (p == NULL)
			return -404;
	}
	if (*p != '/')
		return -400;
	for (; p < end && *p != '?' && *p != '#'; p++) {
		char c = *p;
		if (c == '%') {
			int high = end - p > 2 ? hex(p[1]) : -1, low = end - p > 2 ? hex(p[2]) : -1;
			if (high < 0 || low < 0 || (high | low) == 0)
				return -400;
			c = (char)(high << 4 | low);
			p += 2;
		}
		if (out - path >= PATH_LIMIT - 1)
			return -414;
		if (c == '/') {
			if (bad_segment(segment, out))
				return -400;
			if (out == segment)
				continue; /* the leading slash and doubled ones: the path must never be absolute */
			*out++ = c;
			segment = out;
			continue;
		}
		*out++ = c;
	}
	if (bad_segment(segment, out))
		return -400;
	*out = '\0';
	return out - path;
}
