/* SPDX-License-Identifier: MIT */
/*
 * null: what a server on this machine costs when it does nothing but the two system calls. It is a yardstick for
 * `./rig bench servers` and no server under test: it does not look at the request, has no workload and no errors.
 *
 *   null PORT BYTES          the same BYTES bytes of memory for every read that brings something
 *   null PORT FILE           the same file by sendfile
 *
 * One process, one thread, edge-triggered epoll, 127.0.0.1. The response's head is as long as the one of `epoll/`.
 * Linux. SIGTERM ends it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EVENTS = 256, MEMORY_MAX = 65536, FDS = 65536 };

static const char *response; /* the head, and the body when there is no file */
static size_t response_len;
static int file = -1;
static off_t size;
/* By descriptor. Of a response under way: what of it is sent. */
static struct { off_t sent; int busy; } state[FDS];

static void die(const char *what)
{
	fprintf(stderr, "null: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* False when the connection has to be closed. */
static int send_on(int fd)
{
	while (state[fd].sent < size) {
		if (sendfile(fd, file, &state[fd].sent, (size_t)(size - state[fd].sent)) <= 0)
			return errno == EAGAIN;
	}
	state[fd].busy = 0;
	return 1;
}

static int serve(int fd)
{
	char in[4096];
	ssize_t n = recv(fd, in, sizeof in, 0);

	if (n <= 0)
		return n < 0 && errno == EAGAIN;
	if (send(fd, response, response_len, MSG_NOSIGNAL) != (ssize_t)response_len)
		return 0;
	if (file < 0)
		return 1;
	state[fd].sent = 0;
	state[fd].busy = 1;
	return send_on(fd);
}

static void prepare(const char *what)
{
	static char memory[512 + MEMORY_MAX];
	char *end;
	struct stat seen;

	size = strtol(what, &end, 10);
	if (*end != '\0') {
		file = open(what, O_RDONLY | O_CLOEXEC);
		if (file < 0 || fstat(file, &seen) < 0)
			die(what);
		size = seen.st_size;
	} else if (size < 0 || size > MEMORY_MAX) {
		errno = ERANGE;
		die(what);
	}
	response_len = (size_t)sprintf(memory,
				     "HTTP/1.1 200 OK\r\nServer: null!\r\nContent-Type: application/octet-stream\r\n"
				     "Content-Length: %lld\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n", (long long)size);
	if (file < 0) {
		memset(memory + response_len, 'x', (size_t)size);
		response_len += (size_t)size;
	}
	response = memory;
}

int main(int argc, char **argv)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct epoll_event events[EVENTS];
	int on = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), set = epoll_create1(EPOLL_CLOEXEC);

	if (argc != 3) {
		fprintf(stderr, "usage: null PORT BYTES|FILE\n");
		return 2;
	}
	prepare(argv[2]);
	signal(SIGPIPE, SIG_IGN);
	at.sin_port = htons((in_port_t)atoi(argv[1]));
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	struct epoll_event want = { .events = EPOLLIN, .data.fd = listener };
	if (bind(listener, (struct sockaddr *)&at, sizeof at) < 0 || listen(listener, 4096) < 0 ||
	    epoll_ctl(set, EPOLL_CTL_ADD, listener, &want) < 0)
		die("cannot listen");
	for (;;) {
		int count = epoll_wait(set, events, EVENTS, -1);
		for (int i = 0; i < count; i++) {
			int fd = events[i].data.fd;
			if (fd == listener) {
				fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
				want = (struct epoll_event){ .events = EPOLLIN | (file < 0 ? 0 : EPOLLOUT) | EPOLLET, .data.fd = fd };
				if (fd >= FDS || (fd >= 0 && epoll_ctl(set, EPOLL_CTL_ADD, fd, &want) < 0))
					close(fd);
			} else if (!(state[fd].busy ? send_on(fd) : events[i].events & EPOLLIN ? serve(fd) : 1)) {
				state[fd].busy = 0;
				close(fd);
			}
		}
	}
}
