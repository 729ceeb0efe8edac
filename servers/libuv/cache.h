/* SPDX-License-Identifier: MIT */
/*
 * A worker's open files. Small ones are kept as bytes, larger ones as descriptors for sendfile. An entry is compared
 * with the file system at most once a second, and what was not found is never remembered: a new file is served at
 * once, a changed one after a second at the latest. Bounded: CACHE_SETS * CACHE_WAYS entries a worker.
 */
#ifndef CACHE_H
#define CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "response.h"
#include "clock.h"

enum { CACHE_SETS = 64, CACHE_WAYS = 4, SMALL_FILE = 16384, CHECK_EVERY_MS = 1000 };

struct file {
	/* What each request needs, in one cache line. */
	uint32_t hash, path_len;
	uint64_t checked_ms, used_ms;
	char *body;      /* the whole content when the file is small, else NULL; the end of `whole` */
	char *whole;     /* the usual response as it is sent: head, Date, empty line, body */
	size_t whole_len;
	time_t dated;    /* the second that its Date names */
	int fd;          /* -1 when there is a body */
	unsigned refs;   /* the cache's own and one for each response under way */
	off_t size;
	struct head head;
	bool unsettled;  /* changed so shortly before it was read that its time stamp could hide another change */
	struct stat seen;
	char path[];     /* ends with NUL */
};

struct cache {
	int root;
	struct file *ways[CACHE_SETS][CACHE_WAYS];
};

/* `path` may lie in a request: it needs no NUL at its end. The file stays valid until the next call; hold it to keep it longer. NULL: *status says why. */
struct file *cache_get(struct cache *cache, const char *path, size_t len, const struct clock *clock, int *status);
/* The usual response with a small file, its Date being now's: HTTP/1.1, and the connection stays. epoll sends it; libuv,
 * which has the same cache, puts its responses together. */
const char *file_whole(struct file *file, const struct clock *clock);
void file_hold(struct file *file);
void file_release(struct file *file);
void cache_clear(struct cache *cache);

#endif
