/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "transfer.h"

#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "connection.h"
#include "worker.h"

static struct chunk *chunk_new(unsigned size)
{
	struct chunk *chunk = malloc(sizeof *chunk);

	if (chunk == NULL || (chunk->bytes = malloc(size)) == NULL) {
		free(chunk);
		return NULL;
	}
	chunk->size = size;
	return chunk;
}

static struct chunk *chunk_get(struct worker *w, bool must)
{
	struct chunk *chunk = w->chunks;

	if (chunk)
		w->chunks = chunk->next;
	else if (w->chunk_count < CHUNKS_MAX && (chunk = chunk_new(CHUNK_SIZE)) != NULL)
		w->chunk_count++;
	else if (must)
		chunk = chunk_new(SMALL_CHUNK);
	return chunk;
}

static void chunk_put(struct worker *w, struct chunk *chunk)
{
	if (chunk == NULL)
		return;
	if (chunk->size == CHUNK_SIZE) {
		chunk->next = w->chunks;
		w->chunks = chunk;
		return;
	}
	free(chunk->bytes);
	free(chunk);
}

void chunks_free(struct worker *w)
{
	for (struct chunk *chunk = w->chunks, *next; chunk; chunk = next) {
		next = chunk->next;
		free(chunk->bytes);
		free(chunk);
	}
}

bool transfer_start(struct connection *c, struct file *file, const char *head, size_t head_len)
{
	struct transfer *t = calloc(1, sizeof *t);

	if (t == NULL || (t->head = malloc(head_len)) == NULL) {
		free(t);
		return false;
	}
	memcpy(t->head, head, head_len);
	t->head_len = (unsigned)head_len;
	file_hold(file);
	t->file = file;
	t->owner = c;
	t->read.data = t->write.data = t;
	c->transfer = t;
	return true;
}

bool transfer_busy(const struct transfer *t) { return t->filling || t->writing; }

void transfer_free(struct worker *w, struct transfer *t)
{
	chunk_put(w, t->full);
	file_release(t->file);
	free(t->head);
	free(t);
}

/* The client left while the pool was reading or the socket writing: the memory may go now. */
static bool owner_gone(struct transfer *t)
{
	if (!uv_is_closing((uv_handle_t *)&t->owner->socket))
		return false;
	if (!transfer_busy(t))
		connection_released(t->owner);
	return true;
}

static void on_chunk(uv_fs_t *read)
{
	struct transfer *t = read->data;
	struct chunk *chunk = t->filling;
	ssize_t n = read->result;

	uv_fs_req_cleanup(read);
	t->filling = NULL;
	if (n > 0) {
		chunk->len = (unsigned)n; /* a short read is a shorter chunk */
		t->read_pos += (uint64_t)n;
		t->full = chunk;
	} else {
		chunk_put(t->owner->worker, chunk);
	}
	if (owner_gone(t))
		return;
	if (n <= 0) /* 0: the file shrank; only a broken connection can still tell the client */
		connection_close(t->owner);
	else
		transfer_advance(t->owner);
}

static void on_chunk_written(uv_write_t *write, int status)
{
	struct transfer *t = write->data;

	chunk_put(t->owner->worker, t->writing);
	t->writing = NULL;
	free(t->head);
	t->head = NULL;
	if (owner_gone(t))
		return;
	if (status < 0) {
		connection_close(t->owner);
		return;
	}
	t->owner->deadline_ms = t->owner->worker->clock.ms + IDLE_MS;
	transfer_advance(t->owner);
}

static bool write_chunk(struct transfer *t)
{
	uv_buf_t buffers[2];
	unsigned count = 0;

	if (t->head)
		buffers[count++] = uv_buf_init(t->head, t->head_len);
	t->writing = t->full;
	t->full = NULL;
	buffers[count++] = uv_buf_init(t->writing->bytes, t->writing->len);
	return uv_write(&t->write, (uv_stream_t *)&t->owner->socket, buffers, count, on_chunk_written) == 0;
}

static bool read_chunk(struct transfer *t)
{
	struct worker *w = t->owner->worker;
	uint64_t left = (uint64_t)t->file->size - t->read_pos;

	t->filling = chunk_get(w, t->writing == NULL);
	if (t->filling == NULL)
		return t->writing != NULL; /* no room to read ahead: after the write that is under way */
	uv_buf_t buffer = uv_buf_init(t->filling->bytes, left < t->filling->size ? (unsigned)left : t->filling->size);
	if (uv_fs_read(&w->loop, &t->read, t->file->fd, &buffer, 1, (int64_t)t->read_pos, on_chunk) == 0)
		return true;
	chunk_put(w, t->filling);
	t->filling = NULL;
	return false;
}

void transfer_advance(struct connection *c)
{
	struct transfer *t = c->transfer;
	bool fine = true;

	if (t->full && t->writing == NULL)
		fine = write_chunk(t);
	if (fine && !t->filling && !t->full && t->read_pos < (uint64_t)t->file->size)
		fine = read_chunk(t);
	if (!fine) {
		connection_close(c);
	} else if (!transfer_busy(t) && !t->full) {
		c->transfer = NULL;
		transfer_free(c->worker, t);
		connection_continue(c);
	}
}
