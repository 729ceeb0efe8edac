/* SPDX-License-Identifier: MIT */
/*
 * io-uring: an HTTP/1.1 file server that is told when work is complete. It asks the kernel to accept, receive, open,
 * stat, read, send and close, and never waits for a single one of them. Large files go by sendfile(2) when it says that there is room.
 *
 * Needs Linux 5.15. On newer kernels it uses multishot accept (5.19), direct descriptors (5.19), multishot receive
 * into a buffer ring (6.0) and deferred task work (6.1); without them it receives one message at a time into memory of
 * the connection. A line on stderr says at start what is used. liburing 2.3 or newer; older ones give the 5.15 way.
 *
 *   make BUILD=/tmp/uring && /tmp/uring/io-uring --root /srv/files --port 8080 --workers 2
 *   ... --baseline 1     only what 5.15 has, on any kernel
 *   ... --ring-files 1   large files are read through the ring too, which copies each byte once more
 *
 * Exit: 0 after SIGTERM or SIGINT (responses under way are finished, at most 3 s), 77 where io_uring is not offered.
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
	struct features features;
	int listeners[WORKERS_MAX];

	options_parse(&options, argc, argv);
	if (endpoint_parse(&endpoint, options.address, options.port) < 0) {
		fprintf(stderr, SERVER_NAME ": --address %s is not a numeric IPv4 or IPv6 address\n", options.address);
		return 2;
	}
	raise_descriptor_limit();
	responses_init();
	int result = features_probe(&features, options.baseline, options.ring_files);
	if (result < 0) {
		fprintf(stderr, SERVER_NAME ": this kernel offers no usable io_uring (%s): Linux 5.15 or newer is needed, and "
			"sysctl kernel.io_uring_disabled must be 0\n", strerror(-result));
		return 77;
	}

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
		workers[i].root = root;
		workers[i].features = features;
		workers[i].stop = eventfd(0, EFD_CLOEXEC);
		errno = workers[i].stop < 0 ? errno : pthread_create(&workers[i].thread, NULL, worker_run, &workers[i]);
		if (errno)
			fail("cannot start", "a worker");
	}
	features_print(&features, stderr);
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
