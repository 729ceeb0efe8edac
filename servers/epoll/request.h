/* SPDX-License-Identifier: MIT */
/* One HTTP/1 request head, parsed where it lies: nothing is copied and nothing is allocated. */
#ifndef REQUEST_H
#define REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REQUEST_MAX = 16384 }; /* a longer head gets 431 */

enum method { METHOD_GET, METHOD_HEAD, METHOD_OTHER };

struct request {
	enum method method;
	const char *target; /* points into the caller's bytes */
	size_t target_len;
	uint64_t body_len;  /* bytes that follow the head and belong to this request */
	bool http10;
	bool plain;         /* the target is a slash and a name that means nothing but itself */
	bool keep_alive;    /* what the client wishes */
	bool body_unknown;  /* a body of unknown length may follow: respond, then close */
};

/* Returns the length of the head, 0 when more bytes are needed, or a negated status. */
long request_parse(const char *data, size_t len, struct request *request);

#endif
