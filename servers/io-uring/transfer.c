/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/socket.h>

#include "cache.h"
#include "connection.h"
#include "ring.h"
#include "worker.h"

static struct chunk *chunk_new(unsigned size)
{
	struct chunk *chunk = malloc(sizeof *chunk);

	if (chunk == NULL || (chunk->bytes = aligned_alloc(4096, size)) == NULL) {
		free(chunk);
		return NULL;
	}
	chunk->size = size;
	return chunk;
}

static struct chunk *chunk_get(struct worker *w, bool must)
{
	struct chunk *chunk = w->chunks;

	if (chunk)
		w->chunks = chunk->next;
	else if (w->chunk_count < CHUNKS_MAX && (chunk = chunk_new(CHUNK_SIZE)) != NULL)
		w->chunk_count++;
	else if (must)
		chunk = chunk_new(SMALL_CHUNK);
	if (chunk)
		chunk->len = chunk->pos = 0;
	return chunk;
}

static void chunk_put(struct worker *w, struct chunk *chunk)
{
	if (chunk == NULL)
		return;
	if (chunk->size == CHUNK_SIZE) {
		chunk->next = w->chunks;
		w->chunks = chunk;
		return;
	}
	free(chunk->bytes);
	free(chunk);
}

void chunks_free(struct worker *w)
{
	for (struct chunk *chunk = w->chunks, *next; chunk; chunk = next) {
		next = chunk->next;
		free(chunk->bytes);
		free(chunk);
	}
}

bool transfer_start(struct connection *c, struct file *file)
{
	struct pending *p = connection_pending(c);

	if (p == NULL || (p->transfer = calloc(1, sizeof *p->transfer)) == NULL)
		return false;
	file_hold(file);
	p->transfer->file = file;
	return true;
}

void transfer_read(struct worker *w, struct connection *c)
{
	struct transfer *t = c->pending->transfer;

	if (t->filling || t->full || t->read_pos == t->file->size)
		return;
	t->filling = chunk_get(w, t->sending == NULL);
	if (t->filling == NULL)
		return; /* no room to read ahead: after the send that is under way */
	uint64_t left = t->file->size - t->read_pos;
	unsigned len = left < t->filling->size ? (unsigned)left : t->filling->size;
	ring_read(w, c, OP_READ, t->file->fd, t->filling->bytes, len, t->read_pos);
}

bool transfer_read_done(struct worker *w, struct connection *c, int result)
{
	struct transfer *t = c->pending->transfer;
	struct chunk *chunk = t->filling;

	t->filling = NULL;
	if (result <= 0) {
		chunk_put(w, chunk);
		return result == -EINTR || result == -EAGAIN; /* 0: the file shrank */
	}
	chunk->len = (unsigned)result; /* a short read is a shorter chunk */
	t->read_pos += (unsigned)result;
	t->full = chunk;
	return true;
}

void transfer_sent(struct worker *w, struct connection *c, unsigned bytes)
{
	struct transfer *t = c->pending->transfer;

	t->sending->pos += bytes;
	if (t->sending->pos == t->sending->len) {
		chunk_put(w, t->sending);
		t->sending = NULL;
	}
}

void transfer_cork(const struct worker *w, const struct connection *c, int on)
{
	if (w->nopush && c->pending->transfer->file->size >= HELD_BACK_FROM)
		(void)setsockopt(c->fd, IPPROTO_TCP, TCP_CORK, &on, sizeof on); /* a help only */
}

/*
 * The socket is non-blocking only for as long as sendfile needs it, so that the ring finds it as it was: operations of
 * the ring wait by themselves, and not every kernel lets them on a non-blocking socket.
 */
static bool set_nonblocking(struct connection *c, bool on)
{
	c->pending->transfer->nonblocking = on;
	return fcntl(c->fd, F_SETFL, O_RDWR | (on ? O_NONBLOCK : 0)) == 0;
}

/* True while the file is under way; the ring then waits for room in the socket. */
static bool send_from_cache(struct worker *w, struct connection *c)
{
	struct transfer *t = c->pending->transfer;
	size_t budget = TURN_BYTES;

	if (!t->nonblocking && !set_nonblocking(c, true)) {
		connection_close(w, c);
		return true;
	}
	while (t->read_pos < t->file->size) {
		uint64_t left = t->file->size - t->read_pos;
		off_t from = (off_t)t->read_pos;
		size_t want = left < budget ? (size_t)left : budget;
		ssize_t n = want ? sendfile(c->fd, t->file->fd, &from, want) : -1;
		if (n > 0) {
			t->read_pos += (uint64_t)n;
			budget -= (size_t)n;
			c->deadline = time_in(w, IDLE_MS);
		}
		/* A short send has filled the socket: asking it once more for EAGAIN would look up pages for nothing. */
		if (want == 0 || (n > 0 && (size_t)n < want) || (n < 0 && errno == EAGAIN)) {
			c->waiting = true; /* also when the others shall have their turn */
			ring_wait_writable(w, c);
			return true;
		}
		if (n == 0 || (n < 0 && errno != EINTR)) { /* 0: the file shrank */
			connection_close(w, c);
			return true;
		}
	}
	if (!set_nonblocking(c, false))
		connection_close(w, c);
	transfer_cork(w, c, 0);
	transfer_free(w, t);
	c->pending->transfer = NULL;
	return c->closing;
}

bool transfer_advance(struct worker *w, struct connection *c)
{
	struct transfer *t = c->pending->transfer;

	if (!w->features.ring_files)
		return send_from_cache(w, c);
	if (t->sending == NULL && t->full) {
		t->sending = t->full;
		t->full = NULL;
	}
	if (t->sending && !c->sending) {
		struct chunk *chunk = t->sending;
		c->sending = true;
		ring_send(w, c, chunk->bytes + chunk->pos, chunk->len - chunk->pos, t->read_pos < t->file->size);
	}
	transfer_read(w, c);
	if (t->sending || t->filling || t->full)
		return true;
	if (t->read_pos < t->file->size) { /* no memory for a single chunk */
		connection_close(w, c);
		return true;
	}
	transfer_cork(w, c, 0);
	transfer_free(w, t);
	c->pending->transfer = NULL;
	return false;
}

void transfer_free(struct worker *w, struct transfer *t)
{
	chunk_put(w, t->filling);
	chunk_put(w, t->full);
	chunk_put(w, t->sending);
	file_release(w, t->file);
	free(t);
}
