/* SPDX-License-Identifier: MIT */
/*
 * Listening sockets, one descriptor a worker. Where SO_REUSEPORT spreads connections (Linux) each worker has a socket
 * of its own; elsewhere it would give everything to one of them, so all workers have a duplicate of one socket and
 * whoever is awake first accepts.
 */
#ifndef LISTENER_H
#define LISTENER_H

#include <sys/socket.h>

struct endpoint {
	struct sockaddr_storage address;
	socklen_t len;
};

/* A numeric IPv4 or IPv6 address; returns -1 when it is none. */
int endpoint_parse(struct endpoint *endpoint, const char *address, unsigned port);

/* Binds `count` descriptors (libuv makes them listen). Returns -1 and errno. */
int listeners_open(struct endpoint *endpoint, int *fds, int count);
unsigned endpoint_port(const struct endpoint *endpoint);

#endif
