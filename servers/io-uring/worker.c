/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "worker.h"

#include <errno.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lookup.h"
#include "ring.h"

/* After so many completions their places are given back and what they asked for is submitted. */
enum { TURN_COMPLETIONS = 256, FETCH_AHEAD = 32 };

static void make_spare(struct worker *w, struct connection *c)
{
	c->next_spare = w->spare;
	w->spare = c;
}

static bool add_block(struct worker *w)
{
	if (w->block_count == w->block_cap) {
		unsigned cap = w->block_cap ? 2 * w->block_cap : 16;
		struct block **blocks = realloc(w->blocks, cap * sizeof *blocks);
		if (blocks == NULL)
			return false;
		w->blocks = blocks;
		w->block_cap = cap;
	}
	struct block *block = aligned_alloc(BLOCK_BYTES, BLOCK_BYTES);
	if (block == NULL)
		return false;
	block->number = w->block_count;
	w->blocks[w->block_count++] = block;
	for (int i = BLOCK_CONNECTIONS; i-- > 0;) {
		block->all[i] = (struct connection){ .fd = -1, .closing = true };
		make_spare(w, &block->all[i]);
	}
	return true;
}

struct connection *worker_connect(struct worker *w, int fd)
{
	if (w->spare == NULL && !add_block(w))
		return NULL;
	struct connection *c = w->spare;
	w->spare = c->next_spare;
	*c = (struct connection){ .fd = fd,
				  .generation = c->generation + 1,
				  .deadline = time_in(w, IDLE_MS),
				  .pending = &nothing_pending };
	w->count++;
	return c;
}

void worker_forget(struct worker *w, struct connection *c)
{
	connection_free(w, c);
	c->generation++; /* a late completion must not match */
	c->fd = -1;
	c->closing = true;
	make_spare(w, c);
	w->count--;
}

char *worker_output(struct worker *w)
{
	return w->output_count ? w->outputs[--w->output_count] : malloc(OUTPUT_SIZE);
}

void worker_output_back(struct worker *w, char *output)
{
	if (w->output_count < SPARE_OUTPUTS)
		w->outputs[w->output_count++] = output;
	else
		free(output);
}

static void refuse(struct worker *w, int fd)
{
	struct connection none = { .fd = fd };
	ring_close_socket(w, &none);
}

static void keep_accepting(struct worker *w)
{
	unsigned want = w->features.multishot_accept ? 1 : ACCEPTS_AT_ONCE;
	for (unsigned i = 0; !w->draining && i < want; i++)
		if (!(w->accepts & 1u << i)) {
			w->accepts |= 1u << i;
			ring_accept(w, i);
		}
}

static void accepted(struct worker *w, unsigned number, int result, unsigned flags)
{
	if (!(flags & IORING_CQE_F_MORE))
		w->accepts &= ~(1u << number);
	if (result >= 0) {
		struct connection *c = worker_connect(w, result);
		if (c == NULL)
			refuse(w, result);
		else
			connection_advance(w, c);
	} else if (result == -EINVAL && w->features.multishot_accept) {
		w->features.multishot_accept = false; /* the probe promised too much */
	} else if (result != -ECONNABORTED && result != -EINTR && result != -ECANCELED) {
		return; /* mostly EMFILE: clients wait in the backlog until the next tick */
	}
	keep_accepting(w);
}

static struct connection *next_connection(const struct worker *w, unsigned *block, unsigned *place)
{
	for (; *block < w->block_count; ++*block, *place = 0)
		while (*place < BLOCK_CONNECTIONS) {
			struct connection *c = &w->blocks[*block]->all[(*place)++];
			if (!c->closing)
				return c;
		}
	return NULL;
}

/*
 * Closing costs up to two completions. What one turn may close is limited, so that they fit into the completion
 * queue while the queue is being worked on; the rest has its turn at the next tick.
 */
static void close_some(struct worker *w, bool (*which)(const struct worker *, const struct connection *))
{
	unsigned left = CQ_ENTRIES / 4, block = 0, place = 0;

	for (struct connection *c; left > 0 && (c = next_connection(w, &block, &place)) != NULL;) {
		if (!which(w, c))
			continue;
		connection_close(w, c);
		connection_advance(w, c);
		left--;
	}
}

static bool is_idle(const struct worker *w, const struct connection *c)
{
	(void)w;
	return connection_idle(c) && !c->lingering;
}

static bool is_overdue(const struct worker *w, const struct connection *c)
{
	return w->draining ? w->clock.ms >= w->drain_until_ms : time_is_over(w, c->deadline);
}

/*
 * Whether a client that has bytes to come has taken some since it was last asked. The socket says that it has room only
 * when much of it is free, and who reads a few KB a second would be silent for minutes until then. A direct descriptor
 * cannot be asked: there who waits for bytes stays, whether they are read or not.
 */
static bool has_read(const struct worker *w, struct connection *c)
{
	int unread, before = c->pending->unread;

	if (!c->sending && !c->waiting)
		return false;
	if (w->features.direct_sockets)
		return true;
	if (ioctl(c->fd, SIOCOUTQ, &unread) < 0)
		return false;
	struct pending *p = connection_pending(c);
	if (p == NULL)
		return true;
	p->unread = unread;
	return unread < before;
}

static void renew_readers(struct worker *w)
{
	unsigned block = 0, place = 0;

	for (struct connection *c; (c = next_connection(w, &block, &place)) != NULL;)
		if (has_read(w, c))
			c->deadline = time_in(w, IDLE_MS);
}

static void start_draining(struct worker *w)
{
	w->draining = true;
	w->drain_until_ms = w->clock.ms + DRAIN_MS;
	for (unsigned i = 0; i < ACCEPTS_AT_ONCE; i++)
		if (w->accepts & 1u << i)
			ring_cancel_accept(w, i);
	close_some(w, is_idle);
	ring_tick(w);
}

static void ticked(struct worker *w)
{
	ring_tick(w);
	keep_accepting(w);
	if (w->draining)
		close_some(w, is_idle);
	renew_readers(w);
	close_some(w, is_overdue);
}

static void completed(struct worker *w, const struct io_uring_cqe *cqe)
{
	uint64_t tag = cqe->user_data;

	switch (tag_op(tag)) {
	case OP_IGNORED:
		return;
	case OP_ACCEPT:
		accepted(w, tag_slot(tag), cqe->res, cqe->flags);
		return;
	case OP_STOP:
		start_draining(w);
		return;
	case OP_TICK:
		ticked(w);
		return;
	default:
		break;
	}
	struct connection *c = connection_at(w, tag_slot(tag));
	if (c->generation != tag_generation(tag))
		return;
	switch (tag_op(tag)) {
	case OP_RECEIVE:
		connection_received(w, c, cqe->res, cqe->flags);
		break;
	case OP_SEND:
		connection_sent(w, c, cqe->res);
		break;
	case OP_WRITABLE:
		connection_writable(w, c, cqe->res);
		break;
	case OP_SHUTDOWN:
		connection_shut(w, c);
		break;
	case OP_LOOKUP:
		c->inflight--;
		lookup_step(w, c, cqe->res);
		connection_advance(w, c);
		break;
	case OP_READ:
		c->inflight--;
		if (!transfer_read_done(w, c, cqe->res))
			connection_close(w, c);
		connection_advance(w, c);
		break;
	default:
		break;
	}
}

#if MODERN_LIBURING
static int open_buffers(struct worker *w)
{
	struct io_uring_buf_reg reg = { .ring_entries = RING_BUFFERS };

	w->buffer_ring = page_alloc(RING_BUFFERS * sizeof(struct io_uring_buf));
	w->buffers = aligned_alloc(4096, (size_t)RING_BUFFERS * RING_BUFFER_SIZE);
	if (w->buffer_ring == NULL || w->buffers == NULL)
		return -ENOMEM;
	reg.ring_addr = (unsigned long)w->buffer_ring;
	int result = io_uring_register_buf_ring(&w->ring, &reg, 0);
	if (result < 0)
		return result;
	for (int i = 0; i < RING_BUFFERS; i++)
		io_uring_buf_ring_add(w->buffer_ring, w->buffers + (size_t)i * RING_BUFFER_SIZE, RING_BUFFER_SIZE,
				      (unsigned short)i, io_uring_buf_ring_mask(RING_BUFFERS), i);
	io_uring_buf_ring_advance(w->buffer_ring, RING_BUFFERS);
	return 0;
}

static int open_tables(struct worker *w)
{
	int result = 0;

	if (w->features.setup) /* 5.18 has it, and 5.19 the oldest of them: spares a look-up of the ring in each call */
		(void)io_uring_register_ring_fd(&w->ring);
	if (w->features.multishot_recv)
		result = open_buffers(w);
	if (result == 0 && w->features.direct_sockets) {
		struct rlimit limit = { .rlim_cur = 1024 };
		getrlimit(RLIMIT_NOFILE, &limit); /* the table may not be larger */
		result = io_uring_register_files_sparse(
			&w->ring, limit.rlim_cur < DIRECT_SOCKETS ? (unsigned)limit.rlim_cur : DIRECT_SOCKETS);
	}
	return result;
}
#else
static int open_tables(struct worker *w) { (void)w; return 0; }
#endif

static void worker_free(struct worker *w)
{
	cache_clear(w);
	io_uring_submit(&w->ring); /* the closes */
	io_uring_queue_exit(&w->ring);
	chunks_free(w);
	for (unsigned i = 0; i < w->output_count; i++)
		free(w->outputs[i]);
	for (unsigned i = 0; i < w->block_count; i++)
		free(w->blocks[i]);
	free(w->blocks);
	free(w->buffers);
	free(w->buffer_ring);
}

/*
 * With hundreds of clients the connections of a turn are rarely in a cache. Prefetched together, they arrive while the
 * first one is worked on.
 */
static void fetch_connections(const struct worker *w)
{
	struct io_uring_cqe *cqe;
	unsigned head, seen = 0;

	io_uring_for_each_cqe(&w->ring, head, cqe) {
		if (seen++ == FETCH_AHEAD)
			break;
		if (tag_op(cqe->user_data) >= OP_RECEIVE)
			__builtin_prefetch(connection_at(w, tag_slot(cqe->user_data)), 1);
	}
}

static bool finished(const struct worker *w)
{
	return w->draining && w->count == 0 && w->accepts == 0;
}

void *worker_run(void *argument)
{
	struct worker *w = argument;

	/* The ring is made by the thread that uses it: a ring with one issuer accepts no other. */
	int result = ring_open(&w->ring, &w->features);
	if (result == 0)
		result = open_tables(w);
	if (result < 0) {
		fprintf(stderr, SERVER_NAME ": cannot set up a worker's ring: %s\n", strerror(-result));
		exit(1);
	}
	clock_tick(&w->clock);
	keep_accepting(w);
	ring_wait_stop(w);
	ring_tick(w);
	while (!finished(w)) {
		struct io_uring_cqe *cqe;
		unsigned head, seen = 0;

		io_uring_submit_and_wait(&w->ring, 1);
		clock_tick(&w->clock);
		fetch_connections(w);
		io_uring_for_each_cqe(&w->ring, head, cqe) {
			if (seen == TURN_COMPLETIONS)
				break;
			completed(w, cqe);
			seen++;
		}
		io_uring_cq_advance(&w->ring, seen);
	}
	close(w->listener);
	worker_free(w);
	return NULL;
}
