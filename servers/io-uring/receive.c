/* SPDX-License-Identifier: MIT */
/*
 * Input. With multishot receive the kernel puts bytes into a buffer of the shared ring; they are parsed there, and the
 * buffer goes back at once. Only what cannot be handled yet is copied to `held`. Without it, the kernel writes
 * straight behind what is held, and a receive is only under way when there is nothing else to do.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "connection.h"
#include "ring.h"
#include "worker.h"

/* NULL when there is no memory. */
static struct pending *held_room(struct connection *c, uint32_t want)
{
	struct pending *p = connection_pending(c);

	if (p == NULL)
		return NULL;
	if (p->held_pos) {
		memmove(p->held, p->held + p->held_pos, p->held_len - p->held_pos);
		p->held_len -= p->held_pos;
		p->held_pos = 0;
	}
	uint32_t cap = p->held_cap ? p->held_cap : HELD_START;
	while (cap - p->held_len < want)
		cap *= 2;
	if (cap == p->held_cap)
		return p;
	char *grown = realloc(p->held, cap);
	if (grown == NULL)
		return NULL;
	p->held = grown;
	p->held_cap = cap;
	return p;
}

void receive_start(struct worker *w, struct connection *c)
{
	struct pending *p;

	if (c->receiving)
		return;
	if (w->features.multishot_recv) {
		c->receiving = true;
		ring_receive_multishot(w, c);
	} else if ((p = held_room(c, HELD_START / 4)) == NULL) {
		connection_close(w, c);
	} else {
		c->receiving = true;
		ring_receive(w, c, p->held + p->held_len, p->held_cap - p->held_len);
	}
}

void receive_cancel(struct worker *w, struct connection *c)
{
	if (!c->receiving || c->receive_cancelled)
		return;
	c->receive_cancelled = true;
	ring_cancel(w, c, OP_RECEIVE);
}

#if MODERN_LIBURING
static void hold(struct worker *w, struct connection *c, const char *bytes, uint32_t len)
{
	struct pending *p = held_room(c, len);

	if (p == NULL) {
		connection_close(w, c);
		return;
	}
	memcpy(p->held + p->held_len, bytes, len);
	p->held_len += len;
	if (p->held_len > HELD_MAX)
		receive_cancel(w, c); /* started again when its response is sent */
}

static void take(struct worker *w, struct connection *c, const char *bytes, uint32_t len)
{
	if (c->lingering || c->last)
		return;
	if (!connection_idle(c) || c->pending->held_len) { /* busy, or half a request that these bytes may complete */
		c->ready = true;
		hold(w, c, bytes, len);
		return;
	}
	size_t used = connection_respond(w, c, bytes, len);
	if (used < len && !c->closing)
		hold(w, c, bytes + used, len - (uint32_t)used);
}

static void take_buffer(struct worker *w, struct connection *c, int result, unsigned flags)
{
	unsigned id = flags >> IORING_CQE_BUFFER_SHIFT;
	char *buffer = w->buffers + (size_t)id * RING_BUFFER_SIZE;

	if (result > 0 && !c->closing)
		take(w, c, buffer, (uint32_t)result);
	io_uring_buf_ring_add(w->buffer_ring, buffer, RING_BUFFER_SIZE, (unsigned short)id,
			      io_uring_buf_ring_mask(RING_BUFFERS), 0);
	io_uring_buf_ring_advance(w->buffer_ring, 1);
}
#endif

void connection_received(struct worker *w, struct connection *c, int result, unsigned flags)
{
	bool cancelled = false;

	if (!(flags & IORING_CQE_F_MORE)) {
		c->inflight--;
		c->receiving = false;
		cancelled = c->receive_cancelled;
		c->receive_cancelled = false;
	}
#if MODERN_LIBURING
	if (flags & IORING_CQE_F_BUFFER)
		take_buffer(w, c, result, flags);
#endif
	if (c->closing) {
		connection_advance(w, c);
		return;
	}
	if (!c->lingering)
		c->deadline = time_in(w, IDLE_MS);
	if (result > 0 && !(flags & IORING_CQE_F_BUFFER)) {
		if (!c->lingering) {
			c->pending->held_len += (uint32_t)result;
			c->ready = true;
		}
	} else if (result == 0) {
		c->ended = true;
	} else if (result == -EINVAL && w->features.multishot_recv) {
		w->features.multishot_recv = false; /* the probe promised too much */
	} else if (result < 0 && result != -ENOBUFS && result != -EINTR && !(result == -ECANCELED && cancelled)) {
		connection_close(w, c); /* ENOBUFS: all buffers were taken; they are back when this batch is done */
	}
	connection_advance(w, c);
}
