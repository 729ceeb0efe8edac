/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "connection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "response.h"
#include "cache.h"
#include "lookup.h"
#include "ring.h"
#include "target.h"
#include "transfer.h"
#include "worker.h"

bool connection_idle(const struct connection *c)
{
	return !c->sending && !c->waiting && !c->pending->lookup && !c->pending->transfer && c->out_len == 0;
}

static void drop_pending(struct connection *c)
{
	struct pending *p = c->pending;

	if (p == &nothing_pending || p->held || p->lookup || p->transfer || p->skip)
		return;
	free(p);
	c->pending = &nothing_pending;
}

static void drop_out(struct worker *w, struct connection *c)
{
	c->out_pos = c->out_len = 0;
	if (c->out == NULL)
		return;
	if (c->shared)
		whole_release((struct whole *)(c->out - offsetof(struct whole, bytes)));
	else
		worker_output_back(w, c->out);
	c->out = NULL;
	c->shared = false;
}

/* Memory of its own for more than one response, or not the usual one; false when there is none. */
static bool own_out(struct worker *w, struct connection *c)
{
	if (c->out && !c->shared)
		return true;
	char *own = worker_output(w);
	if (own == NULL)
		return false;
	if (c->shared) {
		uint16_t len = c->out_len;
		memcpy(own, c->out, len);
		drop_out(w, c);
		c->out_len = len;
	}
	c->out = own;
	return true;
}

static enum connection_line ending(struct worker *w, struct connection *c, const struct request *r)
{
	if (!r->keep_alive || w->draining)
		c->last = true;
	if (c->last)
		return LINE_CLOSE;
	return r->http10 ? LINE_KEEP_ALIVE : LINE_NONE;
}

static void put(struct worker *w, struct connection *c, const struct request *r, const struct head *head,
		const char *body, size_t len)
{
	if (!own_out(w, c)) {
		connection_close(w, c);
		return;
	}
	c->out_len += (uint16_t)head_write(c->out + c->out_len, head, w->clock.date, ending(w, c, r));
	if (r->method != METHOD_HEAD && len > 0) {
		memcpy(c->out + c->out_len, body, len);
		c->out_len += (uint16_t)len;
	}
}

/* The usual response as it lies ready, without a copy. */
static bool put_whole(struct worker *w, struct connection *c, const struct request *r, struct file *f)
{
	struct whole *whole;

	if (r->method != METHOD_GET || c->out_len > 0 || ending(w, c, r) != LINE_NONE)
		return false;
	if ((whole = file_whole(f, &w->clock)) == NULL)
		return false;
	drop_out(w, c);
	c->out = whole->bytes;
	c->out_len = (uint16_t)whole->len;
	c->shared = true;
	return true;
}

static void put_fixed(struct worker *w, struct connection *c, const struct request *r, const struct fixed_response *a)
{
	put(w, c, r, &a->head, a->body, a->body_len);
}

void connection_respond_file(struct worker *w, struct connection *c, const struct request *r, struct file *f, int status)
{
	if (f == NULL)
		put_fixed(w, c, r, response_error(status));
	else if (f->body && put_whole(w, c, r, f))
		return;
	else if (f->body || r->method == METHOD_HEAD)
		put(w, c, r, &f->head, f->body, f->size);
	else if (transfer_start(c, f))
		put(w, c, r, &f->head, NULL, 0);
	else
		put_fixed(w, c, r, response_error(503));
}

static void respond_path(struct worker *w, struct connection *c, const struct request *r, const char *path, size_t len)
{
	struct file *f = cache_find(&w->cache, path, len);

	if (f)
		f->used_ms = w->clock.ms;
	if (f && w->clock.ms - f->checked_ms < CHECK_EVERY_MS) {
		connection_respond_file(w, c, r, f, 0);
		return;
	}
	if (f)
		f->checked_ms = w->clock.ms; /* the others use it while this one compares */
	if (len == 0 || !lookup_start(w, c, r, path, len, f))
		put_fixed(w, c, r, response_error(len ? 503 : 404));
}

static void respond(struct worker *w, struct connection *c, const struct request *r)
{
	if (r->body_unknown || (r->body_len && connection_pending(c) == NULL))
		c->last = c->linger = true;
	else if (r->body_len)
		c->pending->skip = r->body_len;
	if (r->method == METHOD_OTHER) {
		put_fixed(w, c, r, response_error(405));
		return;
	}
	if (r->target_len == 10 && memcmp(r->target, "/plaintext", 10) == 0) {
		put_fixed(w, c, r, response_plaintext());
		return;
	}
	char path[PATH_LIMIT];
	long len;
	if (r->plain && r->target_len < PATH_LIMIT) {
		len = (long)r->target_len - 1;
		memcpy(path, r->target + 1, (size_t)len);
		path[len] = '\0';
	} else {
		len = target_path(r->target, r->target_len, path);
	}
	if (len < 0)
		put_fixed(w, c, r, response_error((int)-len));
	else if (len == 9 && memcmp(path, "plaintext", 9) == 0) /* with a query, or in another spelling */
		put_fixed(w, c, r, response_plaintext());
	else
		respond_path(w, c, r, path, (size_t)len);
}

size_t connection_respond(struct worker *w, struct connection *c, const char *in, size_t len)
{
	size_t used = 0;

	c->ready = false;
	while (!c->last && !c->closing) {
		uint64_t skip = c->pending->skip;
		if (skip) {
			size_t n = len - used < skip ? len - used : (size_t)skip;
			used += n;
			c->pending->skip -= n;
		}
		if (used == len)
			return used;
		if (c->pending->lookup || c->pending->transfer || c->out_len + HEAD_MAX + SMALL_FILE > OUTPUT_SIZE) {
			c->ready = true;
			return used;
		}
		struct request r;
		long n = request_parse(in + used, len - used, &r);
		if (n == 0 && len - used < REQUEST_MAX)
			return used;
		if (n > 0) {
			used += (size_t)n;
			respond(w, c, &r);
			continue;
		}
		c->last = c->linger = true;
		r = (struct request){ .method = METHOD_GET };
		put_fixed(w, c, &r, response_error(n == 0 ? 431 : (int)-n));
	}
	if (used < len || c->pending->skip)
		c->linger = true;
	return len;
}

static void respond_held(struct worker *w, struct connection *c)
{
	struct pending *p = c->pending;

	p->held_pos += (uint32_t)connection_respond(w, c, p->held + p->held_pos, p->held_len - p->held_pos);
	if (p->held_pos < p->held_len)
		return;
	p->held_pos = p->held_len = 0;
	/* The single-shot receive needs the memory again at once. */
	if (w->features.multishot_recv) {
		free(p->held);
		p->held = NULL;
		p->held_cap = 0;
	}
}

static void send_out(struct worker *w, struct connection *c)
{
	c->sending = true;
	if (c->pending->transfer)
		transfer_cork(w, c, 1);
	ring_send(w, c, c->out + c->out_pos, c->out_len - c->out_pos, false);
	if (c->pending->transfer && w->features.ring_files)
		transfer_read(w, c); /* the first chunk is read while the head is sent */
}

/*
 * A large file's head leaves before this turn ends when the client's processor shall do much of the work; through the
 * ring it leaves a turn earlier than the file. What the socket does not take goes through the ring.
 */
static bool sent_at_once(const struct worker *w, struct connection *c)
{
	if (w->nopush || w->features.ring_files || !c->pending->transfer)
		return false;
	ssize_t n = send(c->fd, c->out + c->out_pos, c->out_len - c->out_pos, MSG_NOSIGNAL | MSG_DONTWAIT);
	if (n > 0)
		c->out_pos += (uint16_t)n;
	return c->out_pos == c->out_len;
}

/* All responses are sent. Closing with unread bytes sends a reset, which can overtake them: read until it is quiet. */
static void finish(struct worker *w, struct connection *c)
{
	if (!c->linger || c->ended) {
		connection_close(w, c);
		return;
	}
	if (!c->lingering) {
		c->lingering = true;
		c->deadline = time_in(w, LINGER_MS);
		if (c->pending->held)
			c->pending->held_pos = c->pending->held_len = 0;
		c->shutting = true;
		ring_shutdown_write(w, c);
	}
	receive_start(w, c);
}

void connection_advance(struct worker *w, struct connection *c)
{
	while (!c->closing) {
		if (c->sending || c->waiting)
			return;
		if (c->out_pos < c->out_len && !sent_at_once(w, c)) {
			send_out(w, c);
			return;
		}
		drop_out(w, c);
		if (c->pending->lookup) {
			struct lookup *l = c->pending->lookup;
			if (!l->done)
				return;
			c->pending->lookup = NULL;
			connection_respond_file(w, c, &l->request, l->file, l->status);
			lookup_free(w, l);
		} else if (c->pending->transfer) {
			if (transfer_advance(w, c))
				break;
		} else if (c->last) {
			finish(w, c);
			break;
		} else if (c->ready) {
			respond_held(w, c);
		} else {
			drop_pending(c);
			if (c->ended || w->draining)
				connection_close(w, c);
			else
				receive_start(w, c);
			break;
		}
	}
	if (c->closing && c->inflight == 0)
		worker_forget(w, c);
}

void connection_sent(struct worker *w, struct connection *c, int result)
{
	c->inflight--;
	c->sending = false;
	if (c->closing) {
		connection_advance(w, c);
		return;
	}
	c->deadline = time_in(w, IDLE_MS);
	if (result < 0)
		connection_close(w, c);
	else if (c->out_pos < c->out_len)
		c->out_pos += (uint16_t)result;
	else
		transfer_sent(w, c, (unsigned)result);
	connection_advance(w, c);
}

void connection_writable(struct worker *w, struct connection *c, int result)
{
	c->inflight--;
	c->waiting = false;
	if (!c->closing && result < 0 && result != -EINTR)
		connection_close(w, c);
	connection_advance(w, c);
}

/* The socket goes at once; the memory when the last operation has come back, since the kernel may use it until then. */
void connection_close(struct worker *w, struct connection *c)
{
	if (c->closing)
		return;
	c->closing = true;
	receive_cancel(w, c);
	if (c->sending)
		ring_cancel(w, c, OP_SEND);
	if (c->waiting)
		ring_cancel(w, c, OP_WRITABLE);
	/* In the same submission: the receive is cancelled before the close is looked at, and the client learns of the
	 * end one turn earlier. Operations under way hold the socket themselves, except a shutdown: a helper thread
	 * does it and looks the number up late, when it may be another client's. */
	if (!c->shutting)
		ring_close_socket(w, c);
}

void connection_shut(struct worker *w, struct connection *c)
{
	c->inflight--;
	c->shutting = false;
	if (c->closing)
		ring_close_socket(w, c);
	connection_advance(w, c);
}

void connection_free(struct worker *w, struct connection *c)
{
	struct pending *p = c->pending;

	drop_out(w, c);
	if (p == &nothing_pending)
		return;
	if (p->lookup)
		lookup_free(w, p->lookup);
	if (p->transfer)
		transfer_free(w, p->transfer);
	free(p->held);
	free(p);
	c->pending = &nothing_pending;
}
