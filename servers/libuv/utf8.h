/* SPDX-License-Identifier: MIT */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the bytes are UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing cut off. */
bool utf8_valid(const char *bytes, size_t len);

#endif
