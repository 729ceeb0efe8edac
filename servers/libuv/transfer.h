/* SPDX-License-Identifier: MIT */
/*
 * A file too large to be kept in memory, on its way to one client: libuv's thread pool reads chunks, the loop writes
 * them, the next chunk being read while the last one is written. The head travels with the first chunk.
 *
 * Chunks come from the worker's pool. When that is used up (many slow readers) a transfer makes do with one small
 * chunk of its own, so memory is bounded by the pool plus SMALL_CHUNK for each connection.
 */
#ifndef TRANSFER_H
#define TRANSFER_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

enum { CHUNK_SIZE = 131072, SMALL_CHUNK = 16384, CHUNKS_MAX = 128 };

struct worker;
struct connection;
struct file;

struct chunk {
	struct chunk *next;
	unsigned size, len;
	char *bytes;
};

struct transfer {
	struct connection *owner;
	struct file *file;        /* held */
	uint64_t read_pos;
	char *head;               /* written before the first chunk */
	unsigned head_len;
	struct chunk *filling;    /* the pool writes into it */
	struct chunk *full;       /* read, not yet being written */
	struct chunk *writing;    /* the socket takes it */
	uv_fs_t read;
	uv_write_t write;
};

/* `head` is copied. False without memory. */
bool transfer_start(struct connection *connection, struct file *file, const char *head, size_t head_len);
void transfer_advance(struct connection *connection);
bool transfer_busy(const struct transfer *transfer); /* something outside still uses its memory */
void transfer_free(struct worker *worker, struct transfer *transfer);
void chunks_free(struct worker *worker);

#endif
