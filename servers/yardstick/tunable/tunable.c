/* SPDX-License-Identifier: MIT */
/*
 * tunable: `plaintext` at a cost that can be chosen, so that a method can be tried on a difference that is known.
 *
 *   tunable --port 8080 [--address 127.0.0.1] [--extra-permille 0]
 *
 * One thread, level-triggered epoll. A request's extra work is N thousandths of a fixed piece: PIECE steps of xorshift,
 * each of which waits for the one before. SIGTERM ends it with 0; no response is ever half sent and kept.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { EVENTS = 256, FDS = 65536, HEAD_MAX = 8192, IN_SIZE = 2 * HEAD_MAX, OUT_SIZE = 65536, RESPONSE_MAX = 256 };
enum { PIECE = 4000, PERMILLE = 1000, PERMILLE_MAX = 100000 };

#define BODY "Hello, World!"

static uint64_t extra_steps;
static volatile uint64_t seed = 88172645463325252u; /* volatile: the work may not be left out */
/* By descriptor: what has arrived of a head that is not whole yet. */
static struct { char *bytes; size_t len; } held[FDS];

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "tunable: %s: %s\n", what, strerror(errno));
	exit(1);
}

static _Noreturn void usage(void)
{
	fprintf(stderr, "usage: tunable --port PORT [--address 127.0.0.1] [--extra-permille 0..%d]\n", PERMILLE_MAX);
	exit(2);
}

static void work(void)
{
	uint64_t x = seed;

	for (uint64_t i = 0; i < extra_steps; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	seed = x;
}

/* Whether a header of this head has this word in its value; both in any case. `head` ends with an empty line. */
static bool says(const char *head, const char *name, const char *word)
{
	size_t name_len = strlen(name), word_len = strlen(word);

	for (const char *line = strstr(head, "\r\n") + 2; line[0] != '\r'; line = strstr(line, "\r\n") + 2) {
		if (strncasecmp(line, name, name_len) != 0 || line[name_len] != ':')
			continue;
		for (const char *at = line + name_len + 1; at[0] != '\r'; at++) {
			if (strncasecmp(at, word, word_len) == 0)
				return true;
		}
	}
	return false;
}

/* Writes the response to one whole head; false when the connection ends after it. */
static bool respond(const char *head, char *out, size_t *out_len)
{
	const char *line_end = strstr(head, "\r\n"), *target = strchr(head, ' ');
	bool is_head = strncmp(head, "HEAD ", 5) == 0, is_get = strncmp(head, "GET ", 4) == 0;
	bool old = memmem(head, (size_t)(line_end - head), "HTTP/1.0", 8) != NULL;
	bool keep = old ? says(head, "connection", "keep-alive") : !says(head, "connection", "close");
	const char *status = "404 Not Found", *body = "";

	if (says(head, "content-length", "") || says(head, "transfer-encoding", ""))
		keep = false;
	if (!is_head && !is_get) {
		status = "405 Method Not Allowed";
	} else if (target && strncmp(target + 1, "/plaintext", 10) == 0 && strchr(" ?", target[11])) {
		status = "200 OK";
		body = BODY;
		work();
	}
	*out_len += (size_t)sprintf(out + *out_len,
				    "HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\nConnection: %s\r\n\r\n%s",
				    status, strlen(body), keep ? "keep-alive" : "close", is_head ? "" : body);
	return keep;
}

/* Reads once and responds to all whole heads. False when the connection has to be closed. */
static bool serve(int fd)
{
	static char in[IN_SIZE + 1], out[OUT_SIZE];
	size_t len = held[fd].len, used = 0, out_len = 0;
	bool keep = true;

	memcpy(in, held[fd].bytes, len);
	ssize_t n = recv(fd, in + len, IN_SIZE - len, 0);
	if (n <= 0)
		return n < 0 && (errno == EAGAIN || errno == EINTR);
	len += (size_t)n;
	if (memchr(in + len - n, '\0', (size_t)n))
		return false;
	in[len] = '\0';
	for (char *end; keep && (end = strstr(in + used, "\r\n\r\n"));) {
		char after = end[4];
		if (OUT_SIZE - out_len < RESPONSE_MAX)
			return false;
		end[4] = '\0';
		keep = respond(in + used, out, &out_len);
		end[4] = after;
		used = (size_t)(end + 4 - in);
	}
	if (out_len && send(fd, out, out_len, MSG_NOSIGNAL) != (ssize_t)out_len)
		return false;
	held[fd].len = len - used;
	if (held[fd].len > HEAD_MAX)
		return false;
	memcpy(held[fd].bytes, in + used, held[fd].len);
	return keep;
}

static bool take(int set, int fd)
{
	struct epoll_event want = { .events = EPOLLIN, .data.fd = fd };
	int on = 1;

	if (fd >= FDS || (held[fd].bytes == NULL && (held[fd].bytes = malloc(HEAD_MAX)) == NULL))
		return false;
	held[fd].len = 0;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	return epoll_ctl(set, EPOLL_CTL_ADD, fd, &want) == 0;
}

static long number(const char *text, long most)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (text[0] < '0' || text[0] > '9' || *end != '\0' || value > most)
		usage();
	return value;
}

static void stop(int signal)
{
	(void)signal;
	_exit(0);
}

int main(int argc, char **argv)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct epoll_event events[EVENTS];
	int on = 1, set = epoll_create1(EPOLL_CLOEXEC);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	for (int i = 1; i < argc; i += 2) {
		if (i + 1 == argc)
			usage();
		if (strcmp(argv[i], "--port") == 0)
			at.sin_port = htons((in_port_t)number(argv[i + 1], 65535));
		else if (strcmp(argv[i], "--extra-permille") == 0)
			extra_steps = (uint64_t)number(argv[i + 1], PERMILLE_MAX) * PIECE / PERMILLE;
		else if (strcmp(argv[i], "--address") != 0 || inet_pton(AF_INET, argv[i + 1], &at.sin_addr) != 1)
			usage();
	}
	signal(SIGPIPE, SIG_IGN);
	signal(SIGTERM, stop);
	signal(SIGINT, stop);
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
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
				if (fd >= 0 && !take(set, fd))
					close(fd);
			} else if (!serve(fd)) {
				close(fd);
			}
		}
	}
}
