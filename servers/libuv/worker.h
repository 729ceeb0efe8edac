/* SPDX-License-Identifier: MIT */
/* A worker: one thread, one loop, one listener, its own connections, files and buffers; nothing is shared. */
#ifndef WORKER_H
#define WORKER_H

#include <llhttp.h>
#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "cache.h"
#include "clock.h"
#include "options.h"
#include "transfer.h"

enum {
	REQUEST_MAX = 16384,   /* a longer head gets 431 */
	IN_SIZE = 65536,
	DRAIN_MS = 3000,
	LINGER_MS = 5000,
};

#ifndef IDLE_MS /* a shorter one for tests: CFLAGS=-DIDLE_MS=3000 */
#define IDLE_MS 75000
#endif

struct connection;

struct worker {
	uv_thread_t thread;
	uv_loop_t loop;
	uv_tcp_t listener;
	uv_async_t stop;
	uv_timer_t timer;
	const struct options *options;
	int listen_fd;
	bool draining;
	unsigned count;
	uint64_t drain_until_ms;
	struct clock clock;
	struct cache cache;
	struct connection *all;
	llhttp_settings_t settings;
	struct chunk *chunks;
	unsigned chunk_count;
	/* Responses on their way out: a buffer of the size that was asked for, and behind it a body that did not fit and is
	 * sent from where it stands. */
	size_t out_len, out_size, tail_len;
	const char *tail;
	char in[IN_SIZE], out[RESPONSE_BUFFER_MAX];
};

void worker_init(struct worker *worker); /* by main; `stop` may be sent from then on */
void worker_run(void *worker);
void worker_left(struct worker *worker); /* a connection is gone; the last one ends a draining worker */

#endif
