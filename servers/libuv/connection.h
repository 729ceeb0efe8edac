/* SPDX-License-Identifier: MIT */
/*
 * One client. Bytes are read into, and responses are sent from, buffers that belong to the worker; only what cannot be used yet
 * (pipelined requests behind a busy one, a response that the socket would not take) is copied, and reading stops until
 * that is gone. llhttp keeps its state between pieces, so half a request needs no copy at all.
 */
#ifndef CONNECTION_H
#define CONNECTION_H

#include <llhttp.h>
#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "fields.h"
#include "sha256.h"
#include "sum.h"

enum { TARGET_LIMIT = 2048 };

/* What a request's body is for. */
enum body { BODY_UNWANTED, BODY_SUM, BODY_HASH };

struct worker;
struct transfer;

struct connection {
	uv_tcp_t socket;         /* first: libuv's handle is the connection */
	struct worker *worker;
	struct connection *prev, *next;
	uint64_t deadline_ms;
	int unread;              /* bytes in the socket that the client had not taken when it was last asked */
	bool reading;            /* libuv is asked for input */
	bool writing;            /* the rest of a response is with libuv */
	bool last;               /* no response follows what is under way */
	bool linger;             /* the client may still be sending: close only after it has stopped */
	bool lingering, ended, closed;
	char *held;              /* input that came behind a request that is still being handled */
	uint32_t held_len;
	char *rest;              /* output that the socket did not take at once */
	uv_write_t write;
	uv_shutdown_t shutdown;
	struct transfer *transfer;
	struct websocket *ws;    /* from the handshake on; llhttp has nothing to do with it any more */

	/* The request that is being parsed. */
	llhttp_t parser;
	int status;              /* what is wrong with it, as far as known */
	bool in_head;
	const char *head_from;   /* where it begins in the piece that is being parsed; NULL where that is not known yet */
	uint32_t head_len;       /* its bytes in the pieces before */
	uint32_t head_here;      /* and in this one, as far as known */
	uint16_t target_len;
	enum body body;
	bool upgrades;           /* asks for another protocol */
	union {
		struct sum sum;
		struct sha256 hash;
	};
	struct fields fields;
	char target[TARGET_LIMIT];
};

bool connection_accept(struct worker *worker, uv_stream_t *listener);
void connection_close(struct connection *connection);
void connection_continue(struct connection *connection); /* a transfer or a write is through */
bool connection_idle(const struct connection *connection); /* nothing would be lost if it were closed now */
int connection_tune(const struct worker *worker, uv_tcp_t *socket); /* TCP_NODELAY and TCP keepalive, as asked for */
void connection_released(struct connection *connection); /* a transfer let go of its memory */

#endif
