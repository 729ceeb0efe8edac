/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "cache.h"

#include <stdlib.h>
#include <string.h>

#include "ring.h"
#include "worker.h"

void file_hold(struct file *f) { f->refs++; }

void file_release(struct worker *w, struct file *f)
{
	if (--f->refs > 0)
		return;
	if (f->fd >= 0)
		ring_close_file(w, f->fd);
	if (f->whole)
		whole_release(f->whole);
	free(f->path);
	free(f);
}

bool file_make_whole(struct file *f, const struct clock *clock)
{
	struct whole *whole = malloc(sizeof *whole + HEAD_MAX + f->size);

	if (whole == NULL)
		return false;
	size_t head_len = head_write(whole->bytes, &f->head, clock->date, LINE_NONE);
	whole->refs = 1;
	whole->len = (uint32_t)(head_len + f->size);
	whole->dated = clock->second;
	f->whole = whole;
	f->body = whole->bytes + head_len;
	return true;
}

struct whole *file_whole(struct file *f, const struct clock *clock)
{
	struct whole *whole = f->whole;

	if (whole->dated != clock->second && whole->refs == 1) {
		memcpy(whole->bytes + f->head.len, clock->date, DATE_LINE);
		whole->dated = clock->second;
	} else if (whole->dated != clock->second) {
		const char *body = f->body;
		if (!file_make_whole(f, clock))
			return NULL;
		memcpy(f->body, body, f->size);
		whole_release(whole);
		whole = f->whole;
	}
	whole->refs++;
	return whole;
}

void whole_release(struct whole *whole)
{
	if (--whole->refs == 0)
		free(whole);
}

static uint32_t hash_of(const char *path, size_t len)
{
	uint32_t h = 2166136261u;
	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)path[i]) * 16777619u;
	return h ^ h >> 15;
}

struct file *file_new(const char *path, size_t len, const struct statx *seen, int64_t now)
{
	struct file *f = calloc(1, sizeof *f);

	if (f == NULL || (f->path = malloc(len + 1)) == NULL) {
		free(f);
		return NULL;
	}
	memcpy(f->path, path, len + 1);
	f->hash = hash_of(path, len);
	f->refs = 1;
	f->fd = -1;
	f->size = seen->stx_size;
	f->seen = *seen;
	f->unsettled = now - seen->stx_ctime.tv_sec < 2;
	head_make(&f->head, 200, content_type(path), f->size);
	return f;
}

static bool same_time(const struct statx_timestamp *a, const struct statx_timestamp *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

bool file_unchanged(const struct file *f, const struct statx *now)
{
	const struct statx *was = &f->seen;

	return !f->unsettled && was->stx_ino == now->stx_ino && was->stx_dev_major == now->stx_dev_major &&
	       was->stx_dev_minor == now->stx_dev_minor && was->stx_size == now->stx_size &&
	       same_time(&was->stx_mtime, &now->stx_mtime) && same_time(&was->stx_ctime, &now->stx_ctime);
}

static struct file **slot_of(struct cache *cache, uint32_t hash, const char *path)
{
	struct file **set = cache->ways[hash % CACHE_SETS];

	for (int i = 0; i < CACHE_WAYS; i++)
		if (set[i] && set[i]->hash == hash && strcmp(set[i]->path, path) == 0)
			return &set[i];
	return NULL;
}

struct file *cache_find(struct cache *cache, const char *path, size_t len)
{
	struct file **slot = slot_of(cache, hash_of(path, len), path);
	return slot ? *slot : NULL;
}

void cache_put(struct worker *w, struct file *f)
{
	struct file **slot = slot_of(&w->cache, f->hash, f->path);

	if (slot == NULL) { /* a free place, else the one that was not asked for longest */
		struct file **set = w->cache.ways[f->hash % CACHE_SETS];
		slot = set;
		for (int i = 1; i < CACHE_WAYS && *slot; i++)
			if (set[i] == NULL || set[i]->used_ms < (*slot)->used_ms)
				slot = &set[i];
	}
	if (*slot)
		file_release(w, *slot);
	f->checked_ms = f->used_ms = w->clock.ms;
	*slot = f;
}

void cache_drop(struct worker *w, const char *path, size_t len)
{
	struct file **slot = slot_of(&w->cache, hash_of(path, len), path);
	if (slot) {
		file_release(w, *slot);
		*slot = NULL;
	}
}

void cache_clear(struct worker *w)
{
	for (int s = 0; s < CACHE_SETS; s++)
		for (int i = 0; i < CACHE_WAYS; i++)
			if (w->cache.ways[s][i]) {
				file_release(w, w->cache.ways[s][i]);
				w->cache.ways[s][i] = NULL;
			}
}
