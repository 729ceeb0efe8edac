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

	struct connection **table; /* by slot; a free slot keeps its struct for the next client */
	uint32_t *free_slots;
	unsigned table_len, table_cap, free_len, count;

	struct io_uring_buf_ring *buffer_ring; /* empty buffers that the kernel may fill */
	char *buffers;
	struct chunk *chunks;
	unsigned chunk_count;
	char *outputs[SPARE_OUTPUTS];
	unsigned output_count;
};

void *worker_run(void *worker);
struct connection *worker_connect(struct worker *worker, int fd);
void worker_forget(struct worker *worker, struct connection *connection);
char *worker_output(struct worker *worker);
void worker_output_back(struct worker *worker, char *output);

#endif
