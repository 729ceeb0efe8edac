/* SPDX-License-Identifier: MIT */
/* A worker: one thread, one epoll, one listener, its own connections and its own cache; nothing is shared. */
#ifndef WORKER_H
#define WORKER_H

#include <pthread.h>
#include <stdbool.h>

#include "cache.h"
#include "clock.h"
#include "connection.h"
#include "request.h"

enum { IN_SIZE = 2 * REQUEST_MAX, OUT_SIZE = 65536, DRAIN_MS = 3000, LINGER_MS = 5000 };

#ifndef IDLE_MS /* a shorter one for tests: CFLAGS=-DIDLE_MS=3000 */
#define IDLE_MS 75000
#endif

struct worker {
	pthread_t thread;
	int epoll, listener;
	int tick;                 /* timerfd: due once a second */
	int stop;                 /* eventfd: written once, when the server is told to end */
	bool nopush;
	bool draining, accept_paused, sweep_due;
	unsigned count;           /* of connections in use */
	struct clock clock;
	struct cache cache;
	struct block *blocks;     /* of connections, in use or not */
	struct connection *spare, *queue;
	uint64_t drain_until_ms;
	/* What the connection whose turn it is shall be sent: out_len bytes of `out`, or a response that is ready
	 * elsewhere, while there is only that one. */
	size_t out_len;
	const char *whole;
	size_t whole_len;
	char in[IN_SIZE], out[OUT_SIZE];
};

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
/* False when there is no memory. */
bool worker_queue(struct worker *worker, struct connection *connection);
/* Closed and not queued: for the next client. */
void worker_spare(struct worker *worker, struct connection *connection);
void worker_want_out(struct worker *worker, struct connection *connection);

#endif
