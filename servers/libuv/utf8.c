/* SPDX-License-Identifier: MIT */
#include "utf8.h"

#include <stdint.h>
#include <string.h>

bool utf8_valid(const char *bytes, size_t len)
{
	const unsigned char *p = (const unsigned char *)bytes, *end = p + len;

	while (p < end) {
		uint64_t eight;
		if (end - p >= 8 && (memcpy(&eight, p, 8), (eight & 0x8080808080808080) == 0)) {
			p += 8;
			continue;
		}
		unsigned c = *p++;
		if (c < 0x80)
			continue;
		/* How many bytes follow, and between what the first of them must be. */
		int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
		unsigned low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80, high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
		if (c < 0xc2 || c > 0xf4 || end - p < more || *p < low || *p > high)
			return false;
		for (int i = 1; i < more; i++)
			if ((p[i] & 0xc0) != 0x80)
				return false;
		p += more;
	}
	return true;
}
