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

enum { EVENTS = 256, ACCEPTS_A_TURN = 64, DRAIN_TURN_MS = 50 };

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

void worker_queue(struct worker *w, struct connection *c)
{
	if (c->queued)
		return;
	c->queued = true;
	c->next_queued = w->queue;
	w->queue = c;
}

static struct connection *connection_new(struct worker *w, int fd)
{
	struct connection *c = w->spare;

	if (c)
		w->spare = c->next;
	else if ((c = malloc(sizeof *c)) == NULL)
		return NULL;
	memset(c, 0, sizeof *c);
	c->fd = fd;
	c->deadline_ms = w->clock.ms + IDLE_MS;
	c->next = w->all;
	if (w->all)
		w->all->prev = c;
	w->all = c;
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
	for (struct connection *c = w->all, *next; c; c = next) {
		next = c->next;
		c->readable = true;
		connection_turn(w, c);
	}
}

/*
 * Whether a client that has bytes to come has taken some since it was last asked. The socket says that it has room only
 * when much of it is free, and who reads a few KB a second would be silent for minutes until then.
 */
static bool has_read(struct connection *c)
{
	int unread, before = c->unread;

	if ((!c->out && !c->file) || ioctl(c->fd, SIOCOUTQ, &unread) < 0)
		return false;
	c->unread = unread;
	return unread < before;
}

/* Once a second. */
static void sweep(struct worker *w)
{
	w->sweep_due = false;
	if (w->accept_paused && !w->draining) {
		w->accept_paused = false;
		watch(w, EPOLL_CTL_ADD, w->listener, EPOLLIN, &listener_mark);
	}
	for (struct connection *c = w->all, *next; c; c = next) {
		next = c->next;
		if (has_read(c))
			c->deadline_ms = w->clock.ms + IDLE_MS;
		if (c->deadline_ms <= w->clock.ms)
			connection_close(w, c);
	}
}

static void run_queue(struct worker *w)
{
	struct connection *c = w->queue, *next;

	w->queue = NULL;
	for (; c; c = next) {
		next = c->next_queued;
		c->queued = false;
		if (c->dead) {
			c->next = w->spare;
			w->spare = c;
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
		int n = call_wait(w->epoll, events, EVENTS, timeout);
		clock_tick(&w->clock);
		for (int i = 0; i < n; i++)
			dispatch(w, &events[i]);
		if (w->queue)
			run_queue(w);
		if (w->sweep_due)
			sweep(w);
	}
	while (w->all)
		connection_close(w, w->all);
	run_queue(w);
	for (struct connection *c = w->spare, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	cache_clear(&w->cache);
	close(w->tick);
	close(w->epoll);
	return NULL;
}
