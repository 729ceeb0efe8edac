/* SPDX-License-Identifier: MIT */
/*
 * A worker's known files: small ones as bytes, larger ones as open descriptors. This is memory only; opening, stat and
 * reading are the lookup's business and go through the ring. An entry is compared with the file system at most once a
 * second, and what was not found is never remembered. Bounded: CACHE_SETS * CACHE_WAYS entries a worker.
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

struct worker;

/*
 * The usual response with a small file: HTTP/1.1, and the connection stays. Several sends may read it at once. If one
 * still does when the Date changes, a new copy is made.
 */
struct whole {
	unsigned refs;   /* the file's and one for each send under way */
	uint32_t len;
	time_t dated;    /* the second that its Date says */
	char bytes[];
};

struct file {
	char *path;
	struct whole *whole; /* of a small file, else NULL */
	char *body;      /* the whole content, within `whole`, or NULL */
	int fd;          /* -1 when there is a body */
	unsigned refs;   /* the cache's own and one for each response or lookup under way */
	uint32_t hash;
	bool unsettled;  /* changed so shortly before it was read that its time stamp could hide another change */
	uint64_t size, checked_ms, used_ms;
	struct head head;
	struct statx seen;
};

struct cache {
	struct file *ways[CACHE_SETS][CACHE_WAYS];
};

struct file *cache_find(struct cache *cache, const char *path, size_t len);
void cache_put(struct worker *worker, struct file *file); /* takes the caller's reference over */
void cache_drop(struct worker *worker, const char *path, size_t len);
void cache_clear(struct worker *worker);

struct file *file_new(const char *path, size_t len, const struct statx *seen, int64_t now);
bool file_unchanged(const struct file *file, const struct statx *now);
/* Makes room for a small file's content, and the head before it; false when there is no memory. */
bool file_make_whole(struct file *file, const struct clock *clock);
/* With now's Date, and held for the caller; NULL when there is no memory. */
struct whole *file_whole(struct file *file, const struct clock *clock);
void whole_release(struct whole *whole);
void file_hold(struct file *file);
void file_release(struct worker *worker, struct file *file);

#endif
