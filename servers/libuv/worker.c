/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#ifdef __linux__
#include <linux/sockios.h>
#endif

#include "connection.h"
#include "http.h"

enum { BACKLOG = 4096, TICK_MS = 1000, DRAIN_TICK_MS = 50 };

static void on_connection(uv_stream_t *listener, int status)
{
	if (status == 0)
		connection_accept(listener->data, listener);
}

static void close_connections(struct worker *w, bool all)
{
	for (struct connection *c = w->all, *next; c; c = next) {
		next = c->next;
		if (all || connection_idle(c))
			connection_close(c);
	}
}

void worker_left(struct worker *w)
{
	if (--w->count == 0 && w->draining)
		uv_close((uv_handle_t *)&w->timer, NULL);
}

/*
 * Whether a client that has bytes to come has taken some since it was last asked. The socket says that it has room only
 * when much of it is free, and who reads a few KB a second would be silent for minutes until then.
 */
static bool has_read(struct connection *c)
{
	uv_os_fd_t fd;
	int unread, before = c->unread;

	if ((!c->writing && !c->transfer) || uv_fileno((uv_handle_t *)&c->socket, &fd) != 0)
		return false;
#ifdef SIOCOUTQ
	if (ioctl(fd, SIOCOUTQ, &unread) < 0)
		return false;
#else
	socklen_t size = sizeof unread;
	if (getsockopt(fd, SOL_SOCKET, SO_NWRITE, &unread, &size) < 0)
		return false;
#endif
	c->unread = unread;
	return unread < before;
}

static void on_timer(uv_timer_t *timer)
{
	struct worker *w = timer->data;

	clock_tick(&w->clock);
	if (w->draining) {
		if (w->clock.ms >= w->drain_until_ms)
			close_connections(w, true);
		return;
	}
	for (struct connection *c = w->all, *next; c; c = next) {
		next = c->next;
		if (has_read(c))
			c->deadline_ms = w->clock.ms + IDLE_MS;
		if (c->deadline_ms <= w->clock.ms)
			connection_close(c);
	}
}

/* The loop ends by itself when its last handle is closed. */
static void on_stop(uv_async_t *stop)
{
	struct worker *w = stop->data;

	clock_tick(&w->clock);
	w->draining = true;
	w->drain_until_ms = w->clock.ms + DRAIN_MS;
	uv_close((uv_handle_t *)&w->listener, NULL);
	uv_close((uv_handle_t *)&w->stop, NULL);
	if (w->count == 0) {
		uv_close((uv_handle_t *)&w->timer, NULL);
		return;
	}
	uv_timer_start(&w->timer, on_timer, DRAIN_TICK_MS, DRAIN_TICK_MS);
	close_connections(w, false);
}

void worker_run(void *argument)
{
	struct worker *w = argument;

	clock_tick(&w->clock);
	http_settings(&w->settings);
	w->timer.data = w->listener.data = w;
	w->out_size = w->options->response_buffer;
	int error = uv_timer_init(&w->loop, &w->timer);
	if (error == 0)
		error = uv_timer_start(&w->timer, on_timer, TICK_MS, TICK_MS);
	if (error == 0)
		error = uv_tcp_init(&w->loop, &w->listener);
	if (error == 0)
		error = uv_tcp_open(&w->listener, w->listen_fd);
	/* On Linux accepted sockets inherit both, which saves system calls for each connection. */
	if (error == 0)
		error = connection_tune(w, &w->listener);
	if (error == 0)
		error = uv_listen((uv_stream_t *)&w->listener, BACKLOG, on_connection);
	if (error) {
		fprintf(stderr, SERVER_NAME ": cannot listen: %s\n", uv_strerror(error));
		exit(1);
	}
	uv_run(&w->loop, UV_RUN_DEFAULT);
	cache_clear(&w->cache);
	chunks_free(w);
	uv_loop_close(&w->loop);
}

/* The async handle is made by main, so that it exists before a signal can come. */
void worker_init(struct worker *w)
{
	uv_loop_init(&w->loop);
	uv_async_init(&w->loop, &w->stop, on_stop);
	w->stop.data = w;
}
