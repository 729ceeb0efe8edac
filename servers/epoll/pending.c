/* SPDX-License-Identifier: MIT */
#include "connection.h"

#include <stdlib.h>

struct pending nothing_pending;

struct pending *connection_pending(struct connection *c)
{
	if (c->pending == &nothing_pending) {
		struct pending *own = calloc(1, sizeof *own);
		if (own == NULL)
			return NULL;
		c->pending = own;
	}
	return c->pending;
}
