/* SPDX-License-Identifier: MIT */
/* The response to a WebSocket's opening request (RFC 6455, section 4.2.2). */
#ifndef HANDSHAKE_H
#define HANDSHAKE_H

#include <stddef.h>

enum { WS_KEY = 24, SWITCH_MAX = 160 };

/* Writes the whole head of "101 Switching Protocols" for this key and returns its length, at most SWITCH_MAX. */
size_t handshake_write(char *out, const char key[WS_KEY]);

#endif
