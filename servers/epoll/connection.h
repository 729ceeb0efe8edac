/* SPDX-License-Identifier: MIT */
/*
 * One client. Bytes are read into, and responses are sent from, scratch buffers that belong to the worker, so an idle connection
 * costs 16 bytes. Only what cannot be used yet (half a request, a response that the socket would not take) is copied to
 * memory of its own, and reading stops until that is gone: no client can make it grow.
 */
#ifndef CONNECTION_H
#define CONNECTION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * With --nopush 1 a socket of large files takes no more while UNSENT_MAX bytes have not left, and a file from HELD_BACK_FROM
 * on leaves in full packets only, its head with its first bytes (docs/servers-cost.md).
 */
enum { UNSENT_MAX = 1024 * 1024, HELD_BACK_FROM = 4 * 1024 * 1024 };

struct worker;
struct file;

/* What a connection has not finished yet. */
struct pending {
	char *held;         /* input that is not handled yet */
	char *out;          /* output that the socket did not take */
	struct file *file;  /* file under way, from file_pos to file_end */
	off_t file_pos, file_end;
	uint64_t skip;      /* bytes of a request body still to be thrown away */
	uint32_t held_len, out_pos, out_len;
	int unread;         /* bytes in the socket that the client had not taken when it was last asked */
	struct connection *next_queued;
};

/* Shared by all connections that have nothing unfinished; never written. */
extern struct pending nothing_pending;

/*
 * Kept small: with hundreds of clients a connection is rarely in a cache when its next request comes. Four of them share
 * one cache line.
 */
struct connection {
	int fd;
	uint16_t deadline;      /* when it is closed, in units of 128 ms: time_in() in worker.h */
	bool readable : 1;      /* the socket may hold bytes (edge-triggered: true until a read comes back short) */
	bool hung_up : 1;       /* the peer will send nothing more: a short read does not mean "empty" any longer */
	bool wants_out : 1;     /* EPOLLOUT is asked for; asked once, when the socket was full for the first time */
	bool ready : 1;         /* `held` may contain a complete request */
	bool last : 1;          /* no response follows what is under way */
	bool linger : 1;        /* the client may still be sending: close only after it has stopped */
	bool lingering : 1;
	bool queued : 1;        /* in the worker's list of those that gave up their turn */
	bool dead : 1;          /* closed, or not in use yet; while queued it is not given to the next client */
	union {
		struct pending *pending;
		struct connection *next_spare;
	};
};

void connection_turn(struct worker *worker, struct connection *connection);
void connection_close(struct worker *worker, struct connection *connection);

/* Its own, to be written to; NULL when there is no memory. */
struct pending *connection_pending(struct connection *connection);

#endif
