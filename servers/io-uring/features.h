/* SPDX-License-Identifier: MIT */
/* What this kernel's io_uring offers beyond Linux 5.15, and what of it is used. */
#ifndef FEATURES_H
#define FEATURES_H

#include <liburing.h>
#include <stdbool.h>
#include <stdio.h>

/* liburing 2.3 declares all of it; with an older one the server is built for the 5.15 way only. */
#if defined(IORING_RECV_MULTISHOT) && defined(IORING_SETUP_DEFER_TASKRUN) && !defined(ONLY_BASELINE)
#define MODERN_LIBURING 1
#else
#define MODERN_LIBURING 0
#endif

enum { DIRECT_SOCKETS = 16384, RING_BUFFERS = 512, RING_BUFFER_SIZE = 1024, SQ_ENTRIES = 1024, CQ_ENTRIES = 8192 };

struct features {
	unsigned setup;           /* IORING_SETUP_* */
	bool multishot_accept;    /* 5.19: one request accepts for ever */
	bool multishot_recv;      /* 6.0: one request a connection, bytes arrive in a shared buffer ring */
	bool direct_sockets;      /* 5.19: sockets live in the ring's own table, not in the process's */
	bool ring_files;          /* asked for: large files are read and sent through the ring, not by sendfile */
};

/* Returns 0, or a negated errno when this kernel (or its settings) has no io_uring that is good enough. */
int features_probe(struct features *features, bool baseline, bool ring_files);
void features_print(const struct features *features, FILE *out);

/* Zeroed, and at the start of a page, as the kernel asks of a ring of buffers: a Raspberry Pi 5 has pages of 16 KiB. */
void *page_alloc(size_t size);

int ring_open(struct io_uring *ring, const struct features *features);

#endif
