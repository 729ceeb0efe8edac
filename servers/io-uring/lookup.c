/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "lookup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "connection.h"
#include "ring.h"
#include "worker.h"

static void open_it(struct worker *w, struct connection *c)
{
	struct lookup *l = c->pending->lookup;

	l->step = OPEN;
	/* O_NONBLOCK: opening a FIFO must not wait for its writer. RESOLVE_BENEATH: no link leads out of the root. */
	l->how = (struct open_how){ .flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
				    .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS };
	ring_open_file(w, c, l->path, &l->how);
}

bool lookup_start(struct worker *w, struct connection *c, const struct request *request, const char *path, size_t len,
		  struct file *known)
{
	struct pending *p = connection_pending(c);
	struct lookup *l = p ? malloc(sizeof *l) : NULL;

	if (l == NULL)
		return false;
	l->done = false;
	l->status = 0;
	l->fd = -1;
	l->file = known;
	l->got = 0;
	l->request = *request;
	l->len = len;
	memcpy(l->path, path, len + 1);
	p->lookup = l;
	if (known) {
		file_hold(known);
		l->step = COMPARE;
		ring_stat(w, c, w->root, l->path, &l->statx);
	} else {
		open_it(w, c);
	}
	return true;
}

static void finish(struct worker *w, struct lookup *l, int status)
{
	l->done = true;
	l->status = status;
	if (l->file && status) {
		file_release(w, l->file);
		l->file = NULL;
	}
	if (l->file && l->step != COMPARE) {
		file_hold(l->file);
		cache_put(w, l->file);
	}
	if (status)
		cache_drop(w, l->path, l->len);
}

static int status_of(int result)
{
	if (result == -EMFILE || result == -ENFILE || result == -ENOMEM)
		return 503;
	return result == -EACCES ? 403 : 404;
}

static void read_more(struct worker *w, struct connection *c)
{
	struct lookup *l = c->pending->lookup;
	l->step = READ;
	ring_read(w, c, OP_LOOKUP, l->fd, l->file->body + l->got, (unsigned)(l->file->size - l->got), l->got);
}

static void opened(struct worker *w, struct connection *c, int result)
{
	struct lookup *l = c->pending->lookup;

	if (result < 0 || !S_ISREG(l->statx.stx_mode)) {
		finish(w, l, 404);
		return;
	}
	l->file = file_new(l->path, l->len, &l->statx, (int64_t)w->clock.second);
	if (l->file == NULL) {
		finish(w, l, 503);
	} else if (l->file->size > SMALL_FILE) {
		l->file->fd = l->fd;
		l->fd = -1;
		finish(w, l, 0);
	} else if (!file_make_whole(l->file, &w->clock)) {
		finish(w, l, 503);
	} else if (l->file->size == 0) {
		finish(w, l, 0);
	} else {
		read_more(w, c);
	}
}

void lookup_step(struct worker *w, struct connection *c, int result)
{
	struct lookup *l = c->pending->lookup;

	if (c->closing) { /* nobody waits any longer, but an opened file must not leak */
		if (l->step == OPEN && result >= 0)
			l->fd = result;
		l->done = true;
		return;
	}
	if (result == -EINTR || result == -EAGAIN)
		result = l->step == READ ? 0 : -ENFILE;
	switch (l->step) {
	case COMPARE:
		if (result == 0 && file_unchanged(l->file, &l->statx)) {
			finish(w, l, 0);
			break;
		}
		file_release(w, l->file);
		l->file = NULL;
		open_it(w, c);
		break;
	case OPEN:
		if (result < 0) {
			finish(w, l, status_of(result));
			break;
		}
		l->fd = result;
		l->step = STAT;
		ring_stat(w, c, l->fd, "", &l->statx);
		break;
	case STAT:
		opened(w, c, result);
		break;
	case READ:
		if (result <= 0) {
			finish(w, l, 503); /* it shrank while it was read; the next request sees the new size */
			break;
		}
		l->got += (size_t)result;
		if (l->got < l->file->size)
			read_more(w, c);
		else
			finish(w, l, 0);
		break;
	}
}

void lookup_free(struct worker *w, struct lookup *l)
{
	if (l->fd >= 0)
		ring_close_file(w, l->fd);
	if (l->file)
		file_release(w, l->file);
	free(l);
}
