/* SPDX-License-Identifier: MIT */
/*
 * One client. Every operation that was given to the ring is counted in `inflight`, and the connection with all memory
 * that the kernel may still touch lives until that is zero. At most one receive, one send and one file operation (a
 * lookup's or a transfer's) are under way at a time, so responses leave in order and no client can make memory grow.
 */
#ifndef CONNECTION_H
#define CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "request.h"

enum { HELD_START = 4096, HELD_MAX = 2 * REQUEST_MAX, OUTPUT_SIZE = 32768, LINGER_MS = 5000 };

#ifndef IDLE_MS /* a shorter one for tests: CFLAGS=-DIDLE_MS=3000 */
#define IDLE_MS 75000
#endif

struct worker;
struct lookup;
struct transfer;
struct file;

/* What a connection has not finished yet. */
struct pending {
	char *held;                /* input that is not handled yet: from held_pos to held_len */
	uint32_t held_pos, held_len, held_cap;
	int unread;                /* bytes in the socket that the client had not taken when it was last asked */
	struct lookup *lookup;     /* the file of the request that is being handled, if it is not known yet */
	struct transfer *transfer; /* a large file under way */
	uint64_t skip;             /* bytes of a request body still to be thrown away */
};

/* Shared by all connections that have nothing unfinished; never written. */
extern struct pending nothing_pending;

/*
 * Kept small: with hundreds of clients a connection is rarely in a cache when its next completion comes. Two of them
 * share one cache line.
 */
struct connection {
	int fd;                     /* a descriptor, or an index of the ring's table of direct ones */
	uint32_t generation : 24;
	uint32_t inflight : 8;
	uint16_t deadline;          /* when it is closed, in units of 128 ms: time_in() in worker.h */
	bool receiving : 1, receive_cancelled : 1, sending : 1, shutting : 1;
	bool waiting : 1;           /* for room in the socket, before more of a file can be sent */
	bool ready : 1;             /* `held` may contain a complete request */
	bool ended : 1;             /* the peer will send nothing more */
	bool last : 1;              /* no response follows what is under way */
	bool linger : 1;            /* the client may still be sending: close only after it has stopped */
	bool lingering : 1;
	bool closing : 1;           /* or not in use */
	bool shared : 1;            /* `out` is a file's (cache.h), else memory of the worker's */
	uint16_t out_pos, out_len;
	char *out;                  /* responses; the kernel reads them while `sending` */
	union {
		struct pending *pending;
		struct connection *next_spare;
	};
};

void connection_advance(struct worker *worker, struct connection *connection);
void connection_close(struct worker *worker, struct connection *connection);
bool connection_idle(const struct connection *connection);
void connection_free(struct worker *worker, struct connection *connection);
/* Its own, to be written to; NULL when there is no memory. */
struct pending *connection_pending(struct connection *connection);

/* Responds to all whole requests for which there is room; returns how many bytes are used up. */
size_t connection_respond(struct worker *worker, struct connection *connection, const char *in, size_t len);
void connection_respond_file(struct worker *worker, struct connection *connection, const struct request *request,
			    struct file *file, int status);

/* Completions. */
void connection_sent(struct worker *worker, struct connection *connection, int result);
void connection_writable(struct worker *worker, struct connection *connection, int result);
void connection_shut(struct worker *worker, struct connection *connection);
void connection_received(struct worker *worker, struct connection *connection, int result, unsigned flags);

/* Input (receive.c). */
void receive_start(struct worker *worker, struct connection *connection);
void receive_cancel(struct worker *worker, struct connection *connection);

#endif
