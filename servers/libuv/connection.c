/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "connection.h"

#include <stdlib.h>
#include <string.h>

#include "http.h"
#include "transfer.h"
#include "websocket.h"
#include "worker.h"

static struct connection *of_stream(uv_stream_t *stream) { return (struct connection *)stream; }

static bool responding(const struct connection *c) { return c->writing || c->transfer; }

bool connection_idle(const struct connection *c)
{
	return !responding(c) && !c->lingering && c->body == BODY_UNWANTED;
}

static void free_connection(struct connection *c)
{
	struct worker *w = c->worker;

	if (c->transfer)
		transfer_free(w, c->transfer);
	websocket_free(c->ws);
	free(c->held);
	free(c->rest);
	free(c);
	worker_left(w);
}

static void on_closed(uv_handle_t *handle)
{
	struct connection *c = (struct connection *)handle;

	c->closed = true;
	if (c->transfer == NULL || !transfer_busy(c->transfer))
		free_connection(c);
}

void connection_released(struct connection *c)
{
	if (c->closed)
		free_connection(c);
}

void connection_close(struct connection *c)
{
	if (uv_is_closing((uv_handle_t *)&c->socket))
		return;
	if (c->prev)
		c->prev->next = c->next;
	else
		c->worker->all = c->next;
	if (c->next)
		c->next->prev = c->prev;
	uv_close((uv_handle_t *)&c->socket, on_closed);
}

static bool gone(const struct connection *c) { return uv_is_closing((const uv_handle_t *)&c->socket); }

static void on_written(uv_write_t *write, int status)
{
	struct connection *c = write->data;

	c->writing = false;
	free(c->rest);
	c->rest = NULL;
	if (status < 0)
		connection_close(c);
	else
		connection_continue(c);
}

/* Sends the worker's out buffer and tail; what the socket does not take is copied and left to libuv. */
static void send_out(struct connection *c)
{
	struct worker *w = c->worker;
	uv_buf_t buffers[2] = { uv_buf_init(w->out, (unsigned)w->out_len), uv_buf_init((char *)w->tail, (unsigned)w->tail_len) };
	int sent = uv_try_write((uv_stream_t *)&c->socket, buffers, w->tail ? 2 : 1);

	if (sent == UV_EAGAIN)
		sent = 0;
	size_t done = sent > 0 ? (size_t)sent : 0, of_out = done < w->out_len ? done : w->out_len, of_tail = done - of_out;
	size_t left_out = w->out_len - of_out, left_tail = w->tail ? w->tail_len - of_tail : 0;
	const char *tail = w->tail;
	w->out_len = 0;
	w->tail = NULL;
	if (sent < 0) {
		connection_close(c);
		return;
	}
	if (left_out + left_tail == 0)
		return;
	if ((c->rest = malloc(left_out + left_tail)) == NULL) {
		connection_close(c);
		return;
	}
	memcpy(c->rest, w->out + of_out, left_out);
	if (left_tail)
		memcpy(c->rest + left_out, tail + of_tail, left_tail);
	uv_buf_t buffer = uv_buf_init(c->rest, (unsigned)(left_out + left_tail));
	c->write.data = c;
	c->writing = true;
	if (uv_write(&c->write, (uv_stream_t *)&c->socket, &buffer, 1, on_written) < 0) {
		c->writing = false;
		connection_close(c);
	}
}

static void on_shutdown(uv_shutdown_t *shutdown, int status)
{
	(void)shutdown, (void)status; /* libuv wants a callback; the end comes with the client's end or the deadline */
}

static void alloc_in(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
	struct worker *w = ((struct connection *)handle)->worker;
	(void)suggested;
	*buffer = uv_buf_init(w->in, IN_SIZE);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buffer);

static void want_input(struct connection *c, bool want)
{
	if (want == c->reading)
		return;
	c->reading = want;
	if (want)
		uv_read_start((uv_stream_t *)&c->socket, alloc_in, on_read);
	else
		uv_read_stop((uv_stream_t *)&c->socket);
}

/* All responses are sent. Closing with unread bytes sends a reset, which can overtake them: read until it is quiet. */
static void finish(struct connection *c)
{
	if (!c->linger || c->ended) {
		connection_close(c);
		return;
	}
	c->lingering = true;
	c->deadline_ms = c->worker->clock.ms + LINGER_MS;
	uv_shutdown(&c->shutdown, (uv_stream_t *)&c->socket, on_shutdown);
	want_input(c, true);
}

/* Keeps a copy of input that cannot be handled yet. The bytes may lie in the memory that is held now. */
static bool hold(struct connection *c, const char *bytes, size_t len)
{
	char *copy = malloc(len);

	if (copy == NULL)
		return false;
	memcpy(copy, bytes, len);
	free(c->held);
	c->held = copy;
	c->held_len = (uint32_t)len;
	return true;
}

static void drop_held(struct connection *c)
{
	free(c->held);
	c->held = NULL;
	c->held_len = 0;
}

/* Parses and responds; returns how many bytes are used up. */
static size_t respond_some(struct connection *c, const char *bytes, size_t len)
{
	llhttp_errno_t error = http_parse(c, bytes, len);

	if (error == HPE_OK)
		return len;
	if (error == HPE_PAUSED) {
		size_t used = (size_t)(llhttp_get_error_pos(&c->parser) - bytes);
		llhttp_resume(&c->parser);
		if (c->last && used < len)
			c->linger = true;
		return used;
	}
	if (!c->last) { /* else the response is there already: Expect */
		const char *at = llhttp_get_error_pos(&c->parser);
		http_put_error(c, http_status(c, error, at > bytes && at <= bytes + len ? at[-1] : bytes[0]));
	}
	c->linger = true;
	return len;
}

static void run(struct connection *c, char *bytes, size_t len)
{
	struct worker *w = c->worker;

	while (!gone(c)) {
		if (c->last) {
			finish(c);
			return;
		}
		if (len == 0) {
			drop_held(c);
			if (c->ended || w->draining)
				connection_close(c);
			else
				want_input(c, true);
			return;
		}
		w->out_len = 0;
		w->tail = NULL;
		size_t used = c->ws ? websocket_take(c, bytes, len) : respond_some(c, bytes, len);
		bytes += used;
		len -= used;
		if (gone(c))
			return;
		if (w->out_len)
			send_out(c);
		if (gone(c) || (!c->writing && !c->transfer))
			continue;
		want_input(c, false);
		if (len == 0)
			drop_held(c);
		else if (!hold(c, bytes, len))
			connection_close(c);
		if (c->transfer && !gone(c))
			transfer_advance(c);
		return;
	}
}

void connection_continue(struct connection *c)
{
	if (gone(c))
		return;
	c->deadline_ms = c->worker->clock.ms + IDLE_MS;
	run(c, c->held, c->held_len);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buffer)
{
	struct connection *c = of_stream(stream);

	clock_tick(&c->worker->clock);
	if (n == 0)
		return;
	if (n < 0) {
		if (n != UV_EOF || c->lingering || !responding(c))
			connection_close(c);
		c->ended = true;
		return;
	}
	if (c->lingering)
		return;
	c->deadline_ms = c->worker->clock.ms + IDLE_MS;
	run(c, buffer->base, (size_t)n);
}

int connection_tune(const struct worker *w, uv_tcp_t *socket)
{
	int error = w->options->nodelay ? uv_tcp_nodelay(socket, 1) : 0;

	if (error == 0 && w->options->tcp_keepalive_s)
		error = uv_tcp_keepalive(socket, 1, w->options->tcp_keepalive_s);
	return error;
}

bool connection_accept(struct worker *w, uv_stream_t *listener)
{
	struct connection *c = calloc(1, sizeof *c);

	if (c == NULL)
		return false;
	c->worker = w;
	w->count++;
	c->next = w->all;
	if (w->all)
		w->all->prev = c;
	w->all = c;
	c->deadline_ms = w->clock.ms + IDLE_MS;
	uv_tcp_init(&w->loop, &c->socket);
	if (uv_accept(listener, (uv_stream_t *)&c->socket) < 0) {
		connection_close(c);
		return false;
	}
#ifndef __linux__
	connection_tune(w, &c->socket);
#endif
	http_begin(c);
	want_input(c, true);
	return true;
}
