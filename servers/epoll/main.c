/* SPDX-License-Identifier: MIT */
/*
 * epoll: an HTTP/1.1 file server that is told when a socket is ready and then does the work itself.
 *
 * Each worker thread owns a listener (SO_REUSEPORT), an epoll instance, its connections and its cache of open files.
 * Needs Linux 4.5 or newer (any architecture); openat2 (5.6) is used where it exists.
 *
 *   make BUILD=/tmp/epoll && /tmp/epoll/epoll --root /srv/files --port 8080 --workers 2
 *
 * SIGTERM or SIGINT: no new connections, responses under way are finished (at most 3 s), exit 0.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "listener.h"
#include "options.h"
#include "worker.h"

static void raise_descriptor_limit(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static _Noreturn void fail(const char *what, const char *name)
{
	fprintf(stderr, SERVER_NAME ": %s %s: %s\n", what, name, strerror(errno));
	exit(1);
}

int main(int argc, char **argv)
{
	struct options options;
	struct endpoint endpoint;
	int listeners[WORKERS_MAX];

	options_parse(&options, argc, argv);
	if (endpoint_parse(&endpoint, options.address, options.port) < 0) {
		fprintf(stderr, SERVER_NAME ": --address %s is not a numeric IPv4 or IPv6 address\n", options.address);
		return 2;
	}
	raise_descriptor_limit();
	responses_init();

	/* Blocked here, before the threads exist, so that they inherit it and only sigwait() below sees them. */
	sigset_t stop_signals;
	sigemptyset(&stop_signals);
	sigaddset(&stop_signals, SIGTERM);
	sigaddset(&stop_signals, SIGINT);
	pthread_sigmask(SIG_BLOCK, &stop_signals, NULL);
	signal(SIGPIPE, SIG_IGN); /* sendfile has no MSG_NOSIGNAL */

	int root = open(options.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		fail("cannot open the root", options.root);
	char name[80];
	snprintf(name, sizeof name, "%s port %u", options.address, options.port);
	if (listeners_open(&endpoint, listeners, options.workers, options.nopush ? UNSENT_MAX : 0) < 0)
		fail("cannot listen on", name);

	struct worker *workers = calloc((size_t)options.workers, sizeof *workers);
	if (workers == NULL)
		fail("no memory for", "the workers");
	for (int i = 0; i < options.workers; i++) {
		workers[i].listener = listeners[i];
		workers[i].nopush = options.nopush;
		workers[i].cache.root = root;
		workers[i].stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		errno = workers[i].stop < 0 ? errno : pthread_create(&workers[i].thread, NULL, worker_run, &workers[i]);
		if (errno)
			fail("cannot start", "a worker");
	}
	fprintf(stderr, SERVER_NAME ": listening on %s port %u with %d workers\n", options.address,
		endpoint_port(&endpoint), options.workers);

	int got;
	sigwait(&stop_signals, &got);
	for (int i = 0; i < options.workers; i++)
		eventfd_write(workers[i].stop, 1);
	for (int i = 0; i < options.workers; i++) {
		pthread_join(workers[i].thread, NULL);
		close(workers[i].stop);
	}
	free(workers);
	close(root);
	return 0;
}
