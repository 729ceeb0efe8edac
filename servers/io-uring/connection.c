/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "connection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "answer.h"
#include "cache.h"
#include "lookup.h"
#include "ring.h"
#include "target.h"
#include "transfer.h"
#include "worker.h"

bool connection_idle(const struct connection *c)
{
	return !c->sending && !c->waiting && !c->lookup && !c->transfer && c->out_len == 0;
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
	c->out_len += (uint32_t)head_write(c->out + c->out_len, head, w->clock.date, ending(w, c, r));
	if (r->method != METHOD_HEAD && len > 0) {
		memcpy(c->out + c->out_len, body, len);
		c->out_len += (uint32_t)len;
	}
}

static void put_fixed(struct worker *w, struct connection *c, const struct request *r, const struct fixed_answer *a)
{
	put(w, c, r, &a->head, a->body, a->body_len);
}

void connection_answer_file(struct worker *w, struct connection *c, const struct request *r, struct file *f, int status)
{
	if (f == NULL)
		put_fixed(w, c, r, answer_error(status));
	else if (f->body || r->method == METHOD_HEAD)
		put(w, c, r, &f->head, f->body, f->size);
	else if (transfer_start(c, f))
		put(w, c, r, &f->head, NULL, 0);
	else
		put_fixed(w, c, r, answer_error(503));
}

static void answer_path(struct worker *w, struct connection *c, const struct request *r, const char *path, size_t len)
{
	struct file *f = cache_find(&w->cache, path, len);

	if (f)
		f->used_ms = w->clock.ms;
	if (f && w->clock.ms - f->checked_ms < CHECK_EVERY_MS) {
		connection_answer_file(w, c, r, f, 0);
		return;
	}
	if (f)
		f->checked_ms = w->clock.ms; /* the others use it while this one compares */
	if (len == 0 || !lookup_start(w, c, r, path, len, f))
		put_fixed(w, c, r, answer_error(len ? 503 : 404));
}

static void answer(struct worker *w, struct connection *c, const struct request *r)
{
	if (r->body_unknown)
		c->last = c->linger = true;
	c->skip = r->body_len;
	if (r->method == METHOD_OTHER) {
		put_fixed(w, c, r, answer_error(405));
		return;
	}
	if (r->target_len == 10 && memcmp(r->target, "/plaintext", 10) == 0) {
		put_fixed(w, c, r, answer_plaintext());
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
		put_fixed(w, c, r, answer_error((int)-len));
	else if (len == 9 && memcmp(path, "plaintext", 9) == 0) /* with a query, or in another spelling */
		put_fixed(w, c, r, answer_plaintext());
	else
		answer_path(w, c, r, path, (size_t)len);
}

size_t connection_answer(struct worker *w, struct connection *c, const char *in, size_t len)
{
	size_t used = 0;

	c->ready = false;
	if (c->out == NULL && (c->out = worker_output(w)) == NULL) {
		connection_close(w, c);
		return len;
	}
	while (!c->last) {
		if (c->skip) {
			size_t n = len - used < c->skip ? len - used : (size_t)c->skip;
			used += n;
			c->skip -= n;
		}
		if (used == len)
			return used;
		if (c->lookup || c->transfer || c->out_len + HEAD_MAX + SMALL_FILE > OUTPUT_SIZE) {
			c->ready = true;
			return used;
		}
		struct request r;
		long n = request_parse(in + used, len - used, &r);
		if (n == 0 && len - used < REQUEST_MAX)
			return used;
		if (n > 0) {
			used += (size_t)n;
			answer(w, c, &r);
			continue;
		}
		c->last = c->linger = true;
		r = (struct request){ .method = METHOD_GET };
		put_fixed(w, c, &r, answer_error(n == 0 ? 431 : (int)-n));
	}
	if (used < len || c->skip)
		c->linger = true;
	return len;
}

static void answer_held(struct worker *w, struct connection *c)
{
	c->held_pos += (uint32_t)connection_answer(w, c, c->held + c->held_pos, c->held_len - c->held_pos);
	if (c->held_pos < c->held_len)
		return;
	c->held_pos = c->held_len = 0;
	/* The single-shot receive needs the memory again at once. */
	if (w->features.multishot_recv) {
		free(c->held);
		c->held = NULL;
		c->held_cap = 0;
	}
}

static void send_out(struct worker *w, struct connection *c)
{
	c->sending = true;
	if (c->transfer)
		transfer_cork(w, c, 1);
	ring_send(w, c, c->out + c->out_pos, c->out_len - c->out_pos, false);
	if (c->transfer && w->features.ring_files)
		transfer_read(w, c); /* the first chunk is read while the head is sent */
}

/*
 * A large file's head leaves before this turn ends when the client's processor shall do much of the work; through the
 * ring it leaves a turn earlier than the file. What the socket does not take goes through the ring.
 */
static bool sent_at_once(const struct worker *w, struct connection *c)
{
	if (w->nopush || w->features.ring_files || !c->transfer)
		return false;
	ssize_t n = send(c->fd, c->out + c->out_pos, c->out_len - c->out_pos, MSG_NOSIGNAL | MSG_DONTWAIT);
	if (n > 0)
		c->out_pos += (uint32_t)n;
	return c->out_pos == c->out_len;
}

/* All answers are sent. Closing with unread bytes sends a reset, which can overtake them: read until it is quiet. */
static void finish(struct worker *w, struct connection *c)
{
	if (!c->linger || c->ended) {
		connection_close(w, c);
		return;
	}
	if (!c->lingering) {
		c->lingering = true;
		c->deadline_ms = w->clock.ms + LINGER_MS;
		c->held_pos = c->held_len = 0;
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
		c->out_pos = c->out_len = 0;
		if (c->lookup) {
			struct lookup *l = c->lookup;
			if (!l->done)
				return;
			c->lookup = NULL;
			connection_answer_file(w, c, &l->request, l->file, l->status);
			lookup_free(w, l);
		} else if (c->transfer) {
			if (transfer_advance(w, c))
				break;
		} else if (c->last) {
			finish(w, c);
			break;
		} else if (c->ready) {
			answer_held(w, c);
		} else {
			if (c->out) {
				worker_output_back(w, c->out);
				c->out = NULL;
			}
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
	c->deadline_ms = w->clock.ms + IDLE_MS;
	if (result < 0)
		connection_close(w, c);
	else if (c->out_pos < c->out_len)
		c->out_pos += (uint32_t)result;
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
	if (c->lookup)
		lookup_free(w, c->lookup);
	if (c->transfer)
		transfer_free(w, c->transfer);
	if (c->out)
		worker_output_back(w, c->out);
	free(c->held);
}
