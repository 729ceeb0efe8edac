/* SPDX-License-Identifier: MIT */
/* Listening sockets: one a worker, all on one port; the kernel spreads the connections (SO_REUSEPORT). */
#ifndef LISTENER_H
#define LISTENER_H

#include <sys/socket.h>

struct endpoint {
	struct sockaddr_storage address;
	socklen_t len;
};

/* A numeric IPv4 or IPv6 address; returns -1 when it is none. */
int endpoint_parse(struct endpoint *endpoint, const char *address, unsigned port);

/*
 * Opens `count` (blocking) listeners; port 0 becomes the port that the first one got. Returns -1 and errno. Their
 * sockets take no more while `unsent` bytes have not left yet; 0: as much as the kernel likes.
 */
int listeners_open(struct endpoint *endpoint, int *fds, int count, int unsent);
unsigned endpoint_port(const struct endpoint *endpoint);

#endif
