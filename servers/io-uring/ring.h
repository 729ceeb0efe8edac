/* SPDX-License-Identifier: MIT */
/*
 * The operations that this server gives to its ring, one function each.
 *
 * user_data, from the highest bit:
 *
 *    63      56 55              32 31               0
 *   +----------+------------------+------------------+
 *   |  op (8)  | generation (24)  |     slot (32)    |
 *   +----------+------------------+------------------+
 *
 * The slot is the connection's place in the worker's table. The generation counts how often the place was used; a
 * completion for an earlier user is recognized by it and dropped. Operations without a connection leave both zero,
 * except that each of several accepts under way has a number as its slot, so that each can be cancelled.
 */
#ifndef RING_H
#define RING_H

#include <liburing.h>
#include <stdbool.h>
#include <stdint.h>

struct worker;
struct connection;

/* Those of a connection from OP_RECEIVE on. */
enum op { OP_IGNORED, OP_ACCEPT, OP_STOP, OP_TICK, OP_RECEIVE, OP_SEND, OP_LOOKUP, OP_READ, OP_SHUTDOWN, OP_WRITABLE };

enum { GENERATION_MASK = 0xffffff };

static inline uint64_t tag_make(enum op op, uint32_t generation, uint32_t slot)
{
	return (uint64_t)op << 56 | (uint64_t)(generation & GENERATION_MASK) << 32 | slot;
}
static inline enum op tag_op(uint64_t tag) { return (enum op)(tag >> 56); }
static inline uint32_t tag_generation(uint64_t tag) { return (uint32_t)(tag >> 32) & GENERATION_MASK; }
static inline uint32_t tag_slot(uint64_t tag) { return (uint32_t)tag; }

void ring_accept(struct worker *worker, unsigned number);
void ring_wait_stop(struct worker *worker);
void ring_tick(struct worker *worker);
void ring_receive(struct worker *worker, struct connection *connection, char *into, unsigned len);
void ring_receive_multishot(struct worker *worker, struct connection *connection);
void ring_send(struct worker *worker, struct connection *connection, const char *bytes, unsigned len, bool more);
void ring_wait_writable(struct worker *worker, struct connection *connection);
void ring_cancel(struct worker *worker, struct connection *connection, enum op op);
void ring_cancel_accept(struct worker *worker, unsigned number);
void ring_shutdown_write(struct worker *worker, struct connection *connection);
void ring_close_socket(struct worker *worker, struct connection *connection);
void ring_open_file(struct worker *worker, struct connection *connection, const char *path, struct open_how *how);
void ring_stat(struct worker *worker, struct connection *connection, int at, const char *path, struct statx *out);
void ring_read(struct worker *worker, struct connection *connection, enum op op, int fd, char *into, unsigned len,
	       uint64_t from);
void ring_close_file(struct worker *worker, int fd);

#endif
