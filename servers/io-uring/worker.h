/* SPDX-License-Identifier: MIT */
/* A worker: one thread, one ring, one listener, its own connections, files and buffers; nothing is shared. */
#ifndef WORKER_H
#define WORKER_H

#include <liburing.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "cache.h"
#include "clock.h"
#include "connection.h"
#include "features.h"
#include "transfer.h"

enum { DRAIN_MS = 3000, ACCEPTS_AT_ONCE = 4, SPARE_OUTPUTS = 256 };

/* A page of connections: a slot is the number of its block, and its place in there. */
enum { BLOCK_BYTES = 4096, BLOCK_CONNECTIONS = 127, BLOCK_SHIFT = 7 };
struct block {
	struct connection all[BLOCK_CONNECTIONS];
	uint32_t number;
};

struct worker {
	pthread_t thread;
	struct io_uring ring;
	struct features features;
	int listener, root;
	int stop;               /* eventfd: written once, when the server is told to end */
	uint64_t stop_value;
	struct __kernel_timespec tick;
	bool nopush;
	bool draining;
	unsigned accepts;       /* a bit for each accept operation under way */
	struct clock clock;
	uint64_t drain_until_ms;
	struct cache cache;

	struct block **blocks;     /* of connections, in use or not */
	unsigned block_count, block_cap;
	struct connection *spare;
	unsigned count;            /* of connections in use */

	struct io_uring_buf_ring *buffer_ring; /* empty buffers that the kernel may fill */
	char *buffers;
	struct chunk *chunks;
	unsigned chunk_count;
	char *outputs[SPARE_OUTPUTS];
	unsigned output_count;
};

static inline struct connection *connection_at(const struct worker *w, uint32_t slot)
{
	return &w->blocks[slot >> BLOCK_SHIFT]->all[slot & ((1u << BLOCK_SHIFT) - 1)];
}
static inline uint32_t slot_of_connection(const struct connection *c)
{
	const struct block *block = (const struct block *)((uintptr_t)c & ~(uintptr_t)(BLOCK_BYTES - 1));
	return block->number << BLOCK_SHIFT | (uint32_t)(c - block->all);
}

/* Deadlines are in units of 128 ms and wrap around after more than two hours; they are compared once a second. */
static inline uint16_t time_in(const struct worker *w, unsigned ms)
{
	return (uint16_t)((w->clock.ms + ms) / 128 + 1);
}
static inline bool time_is_over(const struct worker *w, uint16_t deadline)
{
	return (int16_t)((uint16_t)(w->clock.ms / 128) - deadline) >= 0;
}

void *worker_run(void *worker);
struct connection *worker_connect(struct worker *worker, int fd);
void worker_forget(struct worker *worker, struct connection *connection);
char *worker_output(struct worker *worker);
void worker_output_back(struct worker *worker, char *output);

#endif
