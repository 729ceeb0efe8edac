/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "system.h"

enum { EVENTS = 256, ACCEPTS_A_TURN = 64, DRAIN_TURN_MS = 50, BLOCK_CONNECTIONS = 255 };

/* A page of them; freed when the worker ends. */
struct block {
	struct connection all[BLOCK_CONNECTIONS];
	struct block *next;
};

/* epoll's data is a pointer; these are told apart from connections by their addresses. */
static char listener_mark, stop_mark, tick_mark;

static int watch(struct worker *w, int operation, int fd, uint32_t events, void *mark)
{
	struct epoll_event event = { .events = events, .data.ptr = mark };
	return epoll_ctl(w->epoll, operation, fd, &event);
}

void worker_want_out(struct worker *w, struct connection *c)
{
	if (c->wants_out)
		return;
	c->wants_out = true;
	watch(w, EPOLL_CTL_MOD, c->fd, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, c);
}

bool worker_queue(struct worker *w, struct connection *c)
{
	struct pending *p;

	if (c->queued)
		return true;
	if ((p = connection_pending(c)) == NULL)
		return false;
	c->queued = true;
	p->next_queued = w->queue;
	w->queue = c;
	return true;
}

void worker_spare(struct worker *w, struct connection *c)
{
	c->next_spare = w->spare;
	w->spare = c;
}

static bool add_block(struct worker *w)
{
	struct block *block = aligned_alloc(64, (sizeof *block + 63) / 64 * 64);

	if (block == NULL)
		return false;
	block->next = w->blocks;
	w->blocks = block;
	for (int i = BLOCK_CONNECTIONS; i-- > 0;) {
		block->all[i] = (struct connection){ .fd = -1, .dead = true };
		worker_spare(w, &block->all[i]);
	}
	return true;
}

static struct connection *connection_new(struct worker *w, int fd)
{
	if (w->spare == NULL && !add_block(w))
		return NULL;
	struct connection *c = w->spare;
	w->spare = c->next_spare;
	*c = (struct connection){ .fd = fd, .deadline = time_in(w, IDLE_MS), .pending = &nothing_pending };
	w->count++;
	return c;
}

static void accept_some(struct worker *w)
{
	for (int i = 0; i < ACCEPTS_A_TURN; i++) {
		int fd = accept4(w->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd < 0) {
			/* Out of descriptors: the connection stays in the backlog until the next tick, and the
			 * loop does not spin on a listener that cannot be served. */
			if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
				w->accept_paused = true;
				watch(w, EPOLL_CTL_DEL, w->listener, 0, NULL);
			}
			return;
		}
		struct connection *c = connection_new(w, fd);
		if (c == NULL)
			close(fd);
		else if (watch(w, EPOLL_CTL_ADD, fd, EPOLLIN | EPOLLRDHUP | EPOLLET, c) < 0)
			connection_close(w, c);
	}
}

static void for_each_connection(struct worker *w, void (*what)(struct worker *, struct connection *))
{
	for (struct block *block = w->blocks; block; block = block->next)
		for (int i = 0; i < BLOCK_CONNECTIONS; i++)
			if (!block->all[i].dead)
				what(w, &block->all[i]);
}

static void turn_once_more(struct worker *w, struct connection *c)
{
	c->readable = true;
	connection_turn(w, c);
}

static void start_draining(struct worker *w)
{
	w->draining = true;
	w->drain_until_ms = w->clock.ms + DRAIN_MS;
	if (!w->accept_paused)
		accept_some(w); /* clients that the kernel has already let in are not cut off */
	/* Other tables of descriptors name this socket too: closing alone would leave it listening. */
	if (!w->accept_paused)
		watch(w, EPOLL_CTL_DEL, w->listener, 0, NULL);
	shutdown(w->listener, SHUT_RDWR);
	close(w->listener);
	w->listener = -1;
	watch(w, EPOLL_CTL_DEL, w->stop, 0, NULL);
	for_each_connection(w, turn_once_more);
}

/*
 * Whether a client that has bytes to come has taken some since it was last asked. The socket says that it has room only
 * when much of it is free, and who reads a few KB a second would be silent for minutes until then.
 */
static bool has_read(struct connection *c)
{
	int unread, before = c->pending->unread;

	if ((!c->pending->out && !c->pending->file) || ioctl(c->fd, SIOCOUTQ, &unread) < 0)
		return false;
	c->pending->unread = unread;
	return unread < before;
}

static void close_when_over(struct worker *w, struct connection *c)
{
	if (has_read(c))
		c->deadline = time_in(w, IDLE_MS);
	if (time_is_over(w, c->deadline))
		connection_close(w, c);
}

/* Once a second. */
static void sweep(struct worker *w)
{
	w->sweep_due = false;
	if (w->accept_paused && !w->draining) {
		w->accept_paused = false;
		watch(w, EPOLL_CTL_ADD, w->listener, EPOLLIN, &listener_mark);
	}
	for_each_connection(w, close_when_over);
}

static void run_queue(struct worker *w)
{
	struct connection *c = w->queue, *next;

	w->queue = NULL;
	for (; c; c = next) {
		next = c->pending->next_queued;
		c->queued = false;
		if (c->dead) {
			free(c->pending);
			worker_spare(w, c);
		} else {
			connection_turn(w, c);
		}
	}
}

static void dispatch(struct worker *w, const struct epoll_event *event)
{
	struct connection *c = event->data.ptr;

	if (event->data.ptr == &listener_mark) {
		accept_some(w);
	} else if (event->data.ptr == &stop_mark) {
		start_draining(w);
	} else if (event->data.ptr == &tick_mark) {
		uint64_t ticks;
		w->sweep_due = read(w->tick, &ticks, sizeof ticks) > 0; /* after the others: who is swept may be among them */
	} else if (!c->dead) {
		if (event->events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR))
			c->hung_up = c->readable = true;
		if (event->events & EPOLLIN)
			c->readable = true;
		connection_turn(w, c);
	}
}

static bool finished(const struct worker *w)
{
	return w->draining && (w->count == 0 || w->clock.ms >= w->drain_until_ms);
}

/*
 * A timer of its own, so that waiting needs no timeout: with one the kernel sets up a timer and takes it down again each
 * time the worker sleeps.
 */
static int start_ticking(struct worker *w)
{
	struct itimerspec every_second = { .it_interval.tv_sec = 1, .it_value.tv_sec = 1 };

	w->tick = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (w->tick < 0 || timerfd_settime(w->tick, 0, &every_second, NULL) < 0)
		return -1;
	return watch(w, EPOLL_CTL_ADD, w->tick, EPOLLIN, &tick_mark);
}

void *worker_run(void *argument)
{
	struct worker *w = argument;
	struct epoll_event events[EVENTS];

	/* A table of descriptors that no other thread shares spares two locked instructions a system call. Where a
	 * sandbox forbids it, nothing is lost but that. */
	(void)unshare(CLONE_FILES);
	clock_tick(&w->clock);
	w->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (w->epoll < 0 || fcntl(w->listener, F_SETFL, O_NONBLOCK) < 0 ||
	    watch(w, EPOLL_CTL_ADD, w->listener, EPOLLIN, &listener_mark) < 0 ||
	    watch(w, EPOLL_CTL_ADD, w->stop, EPOLLIN, &stop_mark) < 0 || start_ticking(w) < 0) {
		perror(SERVER_NAME ": epoll");
		exit(1);
	}
	while (!finished(w)) {
		int timeout = w->queue ? 0 : w->draining ? DRAIN_TURN_MS : -1;
		int n = system_epoll_wait(w->epoll, events, EVENTS, timeout);
		clock_tick(&w->clock);
		for (int i = 0; i < n; i++)
			dispatch(w, &events[i]);
		if (w->queue)
			run_queue(w);
		if (w->sweep_due)
			sweep(w);
	}
	for_each_connection(w, connection_close);
	run_queue(w);
	for (struct block *block = w->blocks, *next; block; block = next) {
		next = block->next;
		free(block);
	}
	cache_clear(&w->cache);
	close(w->tick);
	close(w->epoll);
	return NULL;
}
