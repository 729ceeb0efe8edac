/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <unistd.h>

int endpoint_parse(struct endpoint *e, const char *address, unsigned port)
{
	struct sockaddr_in *v4 = (struct sockaddr_in *)&e->address;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&e->address;

	memset(e, 0, sizeof *e);
	if (inet_pton(AF_INET, address, &v4->sin_addr) == 1) {
		v4->sin_family = AF_INET;
		v4->sin_port = htons((in_port_t)port);
		e->len = sizeof *v4;
		return 0;
	}
	if (inet_pton(AF_INET6, address, &v6->sin6_addr) == 1) {
		v6->sin6_family = AF_INET6;
		v6->sin6_port = htons((in_port_t)port);
		e->len = sizeof *v6;
		return 0;
	}
	return -1;
}

unsigned endpoint_port(const struct endpoint *e)
{
	if (e->address.ss_family == AF_INET6)
		return ntohs(((const struct sockaddr_in6 *)&e->address)->sin6_port);
	return ntohs(((const struct sockaddr_in *)&e->address)->sin_port);
}

static int bound_socket(const struct endpoint *e, int reuse_port, int unsent)
{
	int on = 1, fd = socket(e->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	/* Accepted sockets inherit both, which saves system calls for each connection. TCP_NOTSENT_LOWAT is a help only. */
	if (unsent)
		(void)setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
	    (!reuse_port || setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0) &&
	    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 &&
	    bind(fd, (const struct sockaddr *)&e->address, e->len) == 0)
		return fd;
	int saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

int listeners_open(struct endpoint *e, int *fds, int count, int unsent)
{
	/* SO_REUSEPORT would let this server share a port with a forgotten one of the same user, and each would get
	 * half of the load. A socket without it shows whether the port is free. */
	int probe = bound_socket(e, 0, unsent);
	if (probe < 0)
		return -1;
	close(probe);
	for (int i = 0; i < count; i++) {
		fds[i] = bound_socket(e, 1, unsent);
		if (fds[i] < 0)
			return -1;
		if (listen(fds[i], 4096) < 0 || getsockname(fds[i], (struct sockaddr *)&e->address, &e->len) < 0)
			return -1;
	}
	return 0;
}
