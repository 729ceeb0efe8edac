/* SPDX-License-Identifier: MIT */
/*
 * libuv: an HTTP/1.1 server on libuv (event loop, files) and llhttp (parser), the pair that Node.js stands on: files,
 * sums, hashes and a WebSocket echo.
 *
 * Each worker thread owns a loop, a listener, its connections and its cache. Runs on Linux and macOS; libuv 1.30 and
 * llhttp 6 or newer.
 *
 *   make BUILD=/tmp/uv && /tmp/uv/libuv --root /srv/files --port 8080 --workers 2
 *
 * SIGTERM or SIGINT: no new connections, responses under way are finished (at most 3 s), exit 0.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "allocator.h"
#include "response.h"
#include "listener.h"
#include "options.h"
#include "sha256.h"
#include "texts.h"
#include "worker.h"

static void raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) < 0) { /* macOS refuses "unlimited" */
		limit.rlim_cur = 10240;
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
	allocator_choose(&options, argv);
	raise_descriptor_limit();
	responses_init();
	texts_init();
	sha256_init();
	/* Older versions of libuv sleep after each accept, to be fair to other processes that share a listener. */
	setenv("UV_TCP_SINGLE_ACCEPT", "0", 0);

	/* Blocked here, before the threads exist, so that they inherit it and only sigwait() below sees them. */
	sigset_t stop_signals;
	sigemptyset(&stop_signals);
	sigaddset(&stop_signals, SIGTERM);
	sigaddset(&stop_signals, SIGINT);
	pthread_sigmask(SIG_BLOCK, &stop_signals, NULL);
	signal(SIGPIPE, SIG_IGN);

	int root = open(options.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		fail("cannot open the root", options.root);
	char name[80];
	snprintf(name, sizeof name, "%s port %u", options.address, options.port);
	if (listeners_open(&endpoint, listeners, options.workers) < 0)
		fail("cannot listen on", name);

	struct worker *workers = calloc((size_t)options.workers, sizeof *workers);
	if (workers == NULL)
		fail("no memory for", "the workers");
	for (int i = 0; i < options.workers; i++) {
		workers[i].options = &options;
		workers[i].listen_fd = listeners[i];
		workers[i].cache.root = root;
		worker_init(&workers[i]);
		if (uv_thread_create(&workers[i].thread, worker_run, &workers[i]) != 0)
			fail("cannot start", "a worker");
	}
	fprintf(stderr, SERVER_NAME ": libuv %s, llhttp %d.%d, %s, SHA-256 by %s; listening on %s port %u with %d workers\n",
		uv_version_string(), LLHTTP_VERSION_MAJOR, LLHTTP_VERSION_MINOR, allocator_name(), sha256_way(), options.address,
		endpoint_port(&endpoint), options.workers);

	int got;
	sigwait(&stop_signals, &got);
	for (int i = 0; i < options.workers; i++)
		uv_async_send(&workers[i].stop);
	for (int i = 0; i < options.workers; i++)
		uv_thread_join(&workers[i].thread);
	free(workers);
	close(root);
	uv_library_shutdown();
	return 0;
}
