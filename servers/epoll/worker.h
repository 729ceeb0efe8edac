/* SPDX-License-Identifier: MIT */
/* A worker: one thread, one epoll, one listener, its own connections and its own cache; nothing is shared. */
#ifndef WORKER_H
#define WORKER_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

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
	unsigned count;
	struct clock clock;
	struct cache cache;
	struct connection *all, *spare, *queue;
	uint64_t drain_until_ms;
	/* What the connection whose turn it is shall be sent: out_len bytes of `out`, or an answer that lies ready
	 * elsewhere, while there is only that one. */
	size_t out_len;
	const char *whole;
	size_t whole_len;
	char in[IN_SIZE], out[OUT_SIZE];
};

/*
 * recv, send and epoll_wait without libc's wrappers: those are cancellation points and, in a process with threads, pay
 * two locked instructions each for it.
 */
static inline ssize_t call_recv(int fd, void *into, size_t len)
{
	return syscall(SYS_recvfrom, fd, into, len, 0, NULL, NULL);
}
static inline ssize_t call_send(int fd, const void *bytes, size_t len, int flags)
{
	return syscall(SYS_sendto, fd, bytes, len, flags, NULL, 0);
}
static inline int call_wait(int epoll, struct epoll_event *events, int count, int timeout_ms)
{
	return (int)syscall(SYS_epoll_pwait, epoll, events, count, timeout_ms, NULL, (size_t)_NSIG / 8);
}

void *worker_run(void *worker);
void worker_queue(struct worker *worker, struct connection *connection);
void worker_want_out(struct worker *worker, struct connection *connection);

#endif
