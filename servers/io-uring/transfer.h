/* SPDX-License-Identifier: MIT */
/*
 * A file too large to be kept in memory, on its way to one client: chunks are read through the ring and sent through
 * the ring, the next one being read while the last one is sent. Reads and sends may come back short and are resumed,
 * so the file arrives whole; a file that shrinks under way breaks the connection, never the length.
 *
 * Chunks come from the worker's pool. When that is used up (many slow readers) a transfer makes do with one small
 * chunk of its own, so memory is bounded by the pool plus SMALL_CHUNK for each connection.
 */
#ifndef TRANSFER_H
#define TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

enum { CHUNK_SIZE = 131072, SMALL_CHUNK = 16384, CHUNKS_MAX = 128 };

struct worker;
struct connection;
struct file;

struct chunk {
	struct chunk *next;
	unsigned size, len, pos;
	char *bytes;
};

struct transfer {
	struct file *file;           /* held */
	uint64_t read_pos;
	struct chunk *filling;       /* the kernel writes into it */
	struct chunk *full;          /* read, not yet being sent */
	struct chunk *sending;       /* the kernel reads from it */
};

bool transfer_start(struct connection *connection, struct file *file);
/* Starts what can be started. False when the file is through. */
bool transfer_advance(struct worker *worker, struct connection *connection);
void transfer_read(struct worker *worker, struct connection *connection);
/* Completions; false when the connection cannot be saved. */
bool transfer_read_done(struct worker *worker, struct connection *connection, int result);
void transfer_sent(struct worker *worker, struct connection *connection, unsigned bytes);
void transfer_free(struct worker *worker, struct transfer *transfer);
void chunks_free(struct worker *worker);

#endif
