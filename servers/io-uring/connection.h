/* SPDX-License-Identifier: MIT */
/*
 * One client. Every operation that was given to the ring is counted in `inflight`, and the connection with all memory
 * that the kernel may still touch lives until that is zero. At most one receive, one send and one file operation (a
 * lookup's or a transfer's) are under way at a time, so answers leave in order and no client can make memory grow.
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

struct connection {
	uint32_t slot, generation;
	int fd;                /* a descriptor, or an index of the ring's table of direct ones */
	unsigned inflight;
	bool receiving, receive_cancelled, sending, shutting;
	bool waiting;          /* for room in the socket, before more of a file can be sent */
	bool ready;            /* `held` may contain a complete request */
	bool ended;            /* the peer will send nothing more */
	bool last;             /* nothing is answered after what is under way */
	bool linger;           /* the client may still be sending: close only after it has stopped */
	bool lingering, closing;
	uint32_t held_pos, held_len, held_cap;
	uint32_t out_pos, out_len;
	char *held;            /* input that is not answered yet */
	char *out;             /* answers; owned by the kernel while `sending` */
	struct lookup *lookup;     /* the file of the request that is being answered, if it is not known yet */
	struct transfer *transfer; /* a large file under way */
	uint64_t skip;         /* bytes of a request body still to be thrown away */
	uint64_t deadline_ms;
	int unread;            /* bytes in the socket that the client had not taken when it was last asked */
};

void connection_advance(struct worker *worker, struct connection *connection);
void connection_close(struct worker *worker, struct connection *connection);
bool connection_idle(const struct connection *connection);
void connection_free(struct worker *worker, struct connection *connection);

/* Answers all whole requests for which there is room; returns how many bytes are used up. */
size_t connection_answer(struct worker *worker, struct connection *connection, const char *in, size_t len);
void connection_answer_file(struct worker *worker, struct connection *connection, const struct request *request,
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
