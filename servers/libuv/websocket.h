/* SPDX-License-Identifier: MIT */
/*
 * The echo of a WebSocket (RFC 6455). A message that stands whole in the input and fits the worker's out buffer is
 * unmasked straight into it. Any other is gathered in memory of its own, which grows with what has arrived, up to
 * MESSAGE_MAX, and goes out as one frame.
 */
#ifndef WEBSOCKET_H
#define WEBSOCKET_H

#include <stddef.h>

enum { MESSAGE_MAX = 1 << 20 };

struct connection;
struct websocket;

struct websocket *websocket_new(void);
void websocket_free(struct websocket *ws);

/* Reads frames and puts responses into the worker's out buffer until that is full; returns how many bytes are used up.
 * Sets `last` of the connection after a close frame or a broken rule. */
size_t websocket_take(struct connection *connection, char *bytes, size_t len);

#endif
