/* SPDX-License-Identifier: MIT */
/*
 * A file too large to be kept in memory, on its way to one client. A file that shrinks under way breaks the
 * connection, never the length.
 *
 * Usually its bytes go from the page cache to the socket by sendfile(2), and what the ring does is to wait until the
 * socket has room: io_uring has no sendfile, its splice always runs on a helper thread, and every other way copies.
 *
 * With --ring-files chunks are read through the ring and sent through
 * the ring, the next one being read while the last one is sent. Reads and sends may come back short and are resumed,
 * so the file arrives whole. Chunks come from the worker's pool. When that is used up (many slow readers) a transfer makes do with one small
 * chunk of its own, so memory is bounded by the pool plus SMALL_CHUNK for each connection.
 */
#ifndef TRANSFER_H
#define TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

enum { CHUNK_SIZE = 131072, SMALL_CHUNK = 16384, CHUNKS_MAX = 128 };
/* TURN_BYTES of a file by sendfile, then the others have their turn: some 5 ms at most. */
enum { TURN_BYTES = 16 * 1024 * 1024 };
/*
 * With --nopush 1 a socket takes no more while UNSENT_MAX bytes have not left, and a file from HELD_BACK_FROM on leaves in
 * full packets only, its head with its first bytes (docs/servers-cost.md).
 */
enum { UNSENT_MAX = 1024 * 1024, HELD_BACK_FROM = 4 * 1024 * 1024 };

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
	uint64_t read_pos;           /* what is behind it was read, or sent by sendfile */
	bool nonblocking;            /* the socket, for sendfile */
	struct chunk *filling;       /* the kernel writes into it */
	struct chunk *full;          /* read, not yet being sent */
	struct chunk *sending;       /* the kernel reads from it */
};

bool transfer_start(struct connection *connection, struct file *file);
/* `on` 1 before a file's head, 0 after its last byte. At 1 MB a head of its own is cheaper: it wakes the client meanwhile. */
void transfer_cork(const struct worker *worker, const struct connection *connection, int on);
/* Starts what can be started. False when the file is through. */
bool transfer_advance(struct worker *worker, struct connection *connection);
void transfer_read(struct worker *worker, struct connection *connection);
/* Completions; false when the connection cannot be saved. */
bool transfer_read_done(struct worker *worker, struct connection *connection, int result);
void transfer_sent(struct worker *worker, struct connection *connection, unsigned bytes);
void transfer_free(struct worker *worker, struct transfer *transfer);
void chunks_free(struct worker *worker);

#endif
