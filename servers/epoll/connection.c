/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "connection.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system.h"
#include "target.h"
#include "worker.h"

/* After this much of a file, or this many reads, the others have their turn: some 5 ms at most. */
enum { TURN_BYTES = 16 * 1024 * 1024, TURN_READS = 32 };

enum progress { DONE, BLOCKED, YIELDED, FAILED };

static void drop_pending(struct connection *c)
{
	struct pending *p = c->pending;

	if (p == &nothing_pending)
		return;
	free(p->held);
	free(p->out);
	if (p->file)
		file_release(p->file);
	free(p);
	c->pending = &nothing_pending;
}

static void put(struct worker *w, const void *bytes, size_t len)
{
	memcpy(w->out + w->out_len, bytes, len);
	w->out_len += len;
}

/* More than one response, or not the usual one: all are put together. */
static void put_whole(struct worker *w)
{
	if (w->whole)
		put(w, w->whole, w->whole_len);
	w->whole = NULL;
}

static enum connection_line ending(struct worker *w, struct connection *c, const struct request *r)
{
	if (!r->keep_alive || w->draining)
		c->last = true;
	if (c->last)
		return LINE_CLOSE;
	return r->http10 ? LINE_KEEP_ALIVE : LINE_NONE;
}

static void put_fixed(struct worker *w, struct connection *c, const struct request *r, const struct fixed_response *a)
{
	w->out_len += head_write(w->out + w->out_len, &a->head, w->clock.date, ending(w, c, r));
	if (r->method != METHOD_HEAD)
		put(w, a->body, a->body_len);
}

static void put_file(struct worker *w, struct connection *c, const struct request *r, struct file *f)
{
	struct pending *p = NULL;

	if (f->body == NULL && r->method != METHOD_HEAD && (p = connection_pending(c)) == NULL) {
		put_fixed(w, c, r, response_error(503));
		return;
	}
	enum connection_line line = ending(w, c, r);

	if (f->body && line == LINE_NONE && r->method == METHOD_GET && w->out_len == 0) {
		w->whole = file_whole(f, &w->clock);
		w->whole_len = f->whole_len;
		return;
	}
	w->out_len += head_write(w->out + w->out_len, &f->head, w->clock.date, line);
	if (r->method == METHOD_HEAD)
		return;
	if (f->body) {
		put(w, f->body, (size_t)f->size);
		return;
	}
	file_hold(f);
	p->file = f;
	p->file_pos = 0;
	p->file_end = f->size;
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
	char decoded[PATH_LIMIT];
	const char *path = r->target + 1;
	long len = (long)r->target_len - 1;
	int status = 0;
	if (!r->plain || r->target_len >= PATH_LIMIT) {
		len = target_path(r->target, r->target_len, decoded);
		path = decoded;
	}
	if (len < 0) {
		put_fixed(w, c, r, response_error((int)-len));
		return;
	}
	if (len == 9 && memcmp(path, "plaintext", 9) == 0) { /* with a query, or in another spelling */
		put_fixed(w, c, r, response_plaintext());
		return;
	}
	struct file *f = cache_get(&w->cache, path, (size_t)len, &w->clock, &status);
	if (f)
		put_file(w, c, r, f);
	else
		put_fixed(w, c, r, response_error(status));
}

/* Responds to all whole requests for which there is room; returns how many bytes of `in` are used up. */
static size_t respond_all(struct worker *w, struct connection *c, const char *in, size_t len)
{
	size_t used = 0;

	w->out_len = 0;
	w->whole = NULL;
	c->ready = false;
	while (!c->last) {
		uint64_t skip = c->pending->skip;
		if (skip) {
			size_t n = len - used < skip ? len - used : (size_t)skip;
			used += n;
			c->pending->skip -= n;
		}
		if (used == len)
			return used;
		put_whole(w);
		if (c->pending->file || w->out_len + HEAD_MAX + SMALL_FILE > OUT_SIZE) {
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

static bool keep_copy(char **copy, uint32_t *copy_len, const char *bytes, size_t len)
{
	char *grown = realloc(*copy, len);
	if (grown == NULL)
		return false;
	memcpy(grown, bytes, len);
	*copy = grown;
	*copy_len = (uint32_t)len;
	return true;
}

/*
 * From a large file's head to its last byte only full packets leave. At 1 MB a head of its own is cheaper: it wakes the
 * client while the file is still being put into the socket.
 */
static void cork(const struct worker *w, const struct connection *c, int on)
{
	if (w->nopush && c->pending->file && c->pending->file_end >= HELD_BACK_FROM)
		(void)setsockopt(c->fd, IPPROTO_TCP, TCP_CORK, &on, sizeof on); /* a help only */
}

/* What `in` still holds that cannot be handled yet; nothing when len is 0. */
static bool keep_held(struct connection *c, const char *bytes, size_t len)
{
	struct pending *p = c->pending;

	if (len == 0 && p->held == NULL)
		return true;
	if (len && (p = connection_pending(c)) == NULL)
		return false;
	if (len)
		return keep_copy(&p->held, &p->held_len, bytes, len);
	free(p->held);
	p->held = NULL;
	p->held_len = 0;
	return true;
}

static enum progress send_bytes(struct connection *c, const char *bytes, size_t len, size_t *sent)
{
	*sent = 0;
	while (*sent < len) {
		ssize_t n = system_send(c->fd, bytes + *sent, len - *sent, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? BLOCKED : FAILED;
		*sent += (size_t)n;
	}
	return DONE;
}

/*
 * After a send that came back short: the socket is full, unless the file shrank. A full socket has noted that somebody
 * waits for room; asking it once more for EAGAIN would look up pages for nothing.
 */
static bool is_whole(const struct pending *p)
{
	struct stat now;

	return fstat(p->file->fd, &now) == 0 && now.st_size >= p->file_end;
}

static enum progress send_file(const struct worker *w, struct connection *c)
{
	struct pending *p = c->pending;
	size_t budget = TURN_BYTES;

	while (p->file_pos < p->file_end) {
		size_t left = (size_t)(p->file_end - p->file_pos);
		size_t want = left < budget ? left : budget;
		if (budget == 0)
			return YIELDED;
		ssize_t n = sendfile(c->fd, p->file->fd, &p->file_pos, want);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return BLOCKED;
		if (n <= 0)
			return FAILED; /* 0: the file shrank; only a broken connection can still tell the client */
		if ((size_t)n < want)
			return is_whole(p) ? BLOCKED : FAILED;
		budget -= (size_t)n;
	}
	cork(w, c, 0);
	file_release(p->file);
	p->file = NULL;
	return DONE;
}

static enum progress send_pending(const struct worker *w, struct connection *c)
{
	struct pending *p = c->pending;

	if (p->out) {
		size_t sent;
		enum progress progress = send_bytes(c, p->out + p->out_pos, p->out_len - p->out_pos, &sent);
		p->out_pos += (uint32_t)sent;
		if (progress != DONE)
			return progress;
		free(p->out);
		p->out = NULL;
	}
	return p->file ? send_file(w, c) : DONE;
}

static enum progress send_responses(struct worker *w, struct connection *c)
{
	const char *bytes = w->whole ? w->whole : w->out;
	size_t sent, len = w->whole ? w->whole_len : w->out_len;
	cork(w, c, 1);
	enum progress progress = send_bytes(c, bytes, len, &sent);

	if (progress == BLOCKED) {
		struct pending *p = connection_pending(c);
		if (p == NULL || !keep_copy(&p->out, &p->out_len, bytes + sent, len - sent))
			return FAILED;
		p->out_pos = 0;
	}
	return progress == DONE && c->pending->file ? send_file(w, c) : progress;
}

/* Reads behind the bytes that are held. Returns the new total, 0 when there is nothing to do now, -1 at the end. */
static ssize_t take_input(struct worker *w, struct connection *c)
{
	size_t held = c->pending->held_len;

	if (!c->ready && !c->readable)
		return 0;
	if (held)
		memcpy(w->in, c->pending->held, held);
	if (c->ready)
		return (ssize_t)held;
	ssize_t n;
	do
		n = system_recv(c->fd, w->in + held, IN_SIZE - held);
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EAGAIN) {
		c->readable = false;
		return 0;
	}
	if (n <= 0)
		return -1;
	if ((size_t)n < IN_SIZE - held && !c->hung_up)
		c->readable = false;
	return (ssize_t)held + n;
}

static bool is_done(const struct connection *c)
{
	const struct pending *p = c->pending;

	return !c->queued && !p->held && !p->out && !p->file && !p->skip;
}

/* Closing a socket with unread bytes in it sends a reset, which can overtake the response: read until it is quiet. */
static bool linger_over(struct worker *w, struct connection *c)
{
	if (!c->lingering) {
		c->lingering = true;
		c->readable = true;
		c->deadline = time_in(w, LINGER_MS);
		shutdown(c->fd, SHUT_WR);
	}
	for (int reads = 0; c->readable; reads++) {
		if (reads == TURN_READS)
			return !worker_queue(w, c);
		ssize_t n = system_recv(c->fd, w->in, IN_SIZE);
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			return true;
		if (n < 0 && errno == EAGAIN)
			c->readable = false;
	}
	return false;
}

void connection_turn(struct worker *w, struct connection *c)
{
	if (c->lingering) {
		if (linger_over(w, c))
			connection_close(w, c);
		return;
	}
	enum progress p = c->pending->out || c->pending->file ? send_pending(w, c) : DONE;
	c->deadline = time_in(w, IDLE_MS);
	for (int reads = 0; p == DONE; reads++) {
		if (c->last) {
			if (!c->linger || linger_over(w, c))
				connection_close(w, c);
			return;
		}
		if (reads == TURN_READS) {
			p = YIELDED;
			break;
		}
		ssize_t len = take_input(w, c);
		if (len < 0 || (len == 0 && w->draining)) {
			connection_close(w, c);
			return;
		}
		if (len == 0) {
			if (is_done(c))
				drop_pending(c);
			return;
		}
		size_t used = respond_all(w, c, w->in, (size_t)len);
		if (!keep_held(c, w->in + used, (size_t)len - used)) {
			p = FAILED;
			break;
		}
		if (w->whole || w->out_len)
			p = send_responses(w, c);
	}
	if (p == FAILED || (p == YIELDED && !worker_queue(w, c)))
		connection_close(w, c);
	else if (p == BLOCKED)
		worker_want_out(w, c);
}

void connection_close(struct worker *w, struct connection *c)
{
	close(c->fd);
	w->count--;
	c->dead = true;
	if (c->queued) {
		free(c->pending->held);
		free(c->pending->out);
		if (c->pending->file)
			file_release(c->pending->file);
		return; /* who goes through the queue frees the rest */
	}
	drop_pending(c);
	worker_spare(w, c);
}
