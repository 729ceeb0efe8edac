/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif
#ifdef __APPLE__
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
#endif

const char *file_whole(struct file *f, const struct clock *clock)
{
	if (f->dated != clock->second) {
		memcpy(f->whole + f->head.len, clock->date, DATE_LINE);
		f->dated = clock->second;
	}
	return f->whole;
}

void file_hold(struct file *f) { f->refs++; }

void file_release(struct file *f)
{
	if (--f->refs > 0)
		return;
	if (f->fd >= 0)
		close(f->fd);
	free(f->whole);
	free(f);
}

/* Without following a symbolic link anywhere in the path. */
static int open_without_links(int root, const char *path, int flags)
{
#ifdef O_NOFOLLOW_ANY /* macOS 11 */
	return openat(root, path, flags | O_NOFOLLOW_ANY);
#else
	int at = root, fd;

	for (const char *slash; (slash = strchr(path, '/')) != NULL; path = slash + 1) {
		char name[256];
		size_t len = (size_t)(slash - path);
		if (len >= sizeof name) {
			errno = ENAMETOOLONG;
			fd = -1;
		} else {
			memcpy(name, path, len);
			name[len] = '\0';
			fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		}
		int saved = errno;
		if (at != root)
			close(at);
		errno = saved;
		if (fd < 0)
			return -1;
		at = fd;
	}
	fd = openat(at, path, flags | O_NOFOLLOW);
	int saved = errno;
	if (at != root)
		close(at);
	errno = saved;
	return fd;
#endif
}

static int open_beneath(int root, const char *path)
{
	int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY; /* non-blocking: opening a FIFO must not hang */

	/* The path holds no `..` already; this also stops symbolic links that lead out of the root. Where the kernel
	 * or a strict sandbox does not have it, links are not followed at all. */
#ifdef __linux__
	struct open_how how = { .flags = (uint64_t)flags, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS };
	int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof how);
	if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
		return fd;
#endif
	return open_without_links(root, path, flags);
}

static int status_of(int error)
{
	if (error == EMFILE || error == ENFILE || error == ENOMEM)
		return 503;
	return error == EACCES ? 403 : 404;
}

static bool read_whole(int fd, char *out, size_t size)
{
	size_t done = 0;
	while (done < size) {
		ssize_t n = pread(fd, out + done, size - done, (off_t)done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

static struct file *file_open(int root, const char *path, size_t len, const struct clock *clock, int *status)
{
	struct stat st;
	struct file *f = calloc(1, sizeof *f + len + 1);

	if (f == NULL) {
		*status = 503;
		return NULL;
	}
	memcpy(f->path, path, len);
	f->path_len = (uint32_t)len;
	int fd = len == 0 ? -1 : open_beneath(root, f->path);
	if (fd < 0) {
		*status = len == 0 ? 404 : status_of(errno);
		free(f);
		return NULL;
	}
	*status = 404;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		goto fail;
	*status = 503;
	f->refs = 1;
	f->size = st.st_size;
	f->seen = st;
	f->unsettled = clock->second - st.st_ctim.tv_sec < 2;
	head_make(&f->head, 200, content_type(f->path), (uint64_t)st.st_size);
	if (st.st_size > SMALL_FILE) {
		f->fd = fd;
		return f;
	}
	f->whole = malloc(HEAD_MAX + (size_t)st.st_size);
	if (f->whole == NULL)
		goto fail;
	f->body = f->whole + head_write(f->whole, &f->head, clock->date, LINE_NONE);
	f->whole_len = (size_t)(f->body - f->whole) + (size_t)st.st_size;
	f->dated = clock->second;
	if (!read_whole(fd, f->body, (size_t)st.st_size))
		goto fail; /* 503: it shrank while it was read; the next request sees the new size */
	close(fd);
	f->fd = -1;
	return f;
fail:
	close(fd);
	free(f->whole);
	free(f);
	return NULL;
}

static bool unchanged(int root, const struct file *f)
{
	struct stat st;

	return !f->unsettled && fstatat(root, f->path, &st, 0) == 0 && st.st_ino == f->seen.st_ino &&
	       st.st_dev == f->seen.st_dev && st.st_size == f->seen.st_size &&
	       memcmp(&st.st_mtim, &f->seen.st_mtim, sizeof st.st_mtim) == 0 &&
	       memcmp(&st.st_ctim, &f->seen.st_ctim, sizeof st.st_ctim) == 0;
}

/* FNV-1a (Fowler, Noll and Vo); its upper bits are the better mixed ones, so they help to choose the set. */
static uint32_t hash_of(const char *path, size_t len)
{
	uint32_t h = 2166136261u;
	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)path[i]) * 16777619u;
	return h ^ h >> 15;
}

/* Called after the hashes were equal, so once a request; names are short. */
static bool is_named(const struct file *f, const char *path, size_t len)
{
	if (f->path_len != len)
		return false;
	for (size_t i = 0; i < len; i++)
		if (f->path[i] != path[i])
			return false;
	return true;
}

struct file *cache_get(struct cache *cache, const char *path, size_t len, const struct clock *clock, int *status)
{
	uint32_t hash = hash_of(path, len);
	struct file **set = cache->ways[hash % CACHE_SETS], **slot = set;

	for (int i = 0; i < CACHE_WAYS; i++) {
		struct file *f = set[i];
		if (f == NULL || f->hash != hash || !is_named(f, path, len)) {
			/* Where a new entry would go: a free place, else the one that was not asked for longest. */
			if (*slot && (f == NULL || f->used_ms < (*slot)->used_ms))
				slot = &set[i];
			continue;
		}
		f->used_ms = clock->ms;
		if (clock->ms - f->checked_ms < CHECK_EVERY_MS)
			return f;
		f->checked_ms = clock->ms;
		if (unchanged(cache->root, f))
			return f;
		slot = &set[i];
		break;
	}
	struct file *fresh = file_open(cache->root, path, len, clock, status);
	if (fresh == NULL) {
		/* A known file that is gone leaves; an unknown name must not push a good entry out. */
		if (*slot && is_named(*slot, path, len)) {
			file_release(*slot);
			*slot = NULL;
		}
		return NULL;
	}
	fresh->hash = hash;
	fresh->checked_ms = fresh->used_ms = clock->ms;
	if (*slot)
		file_release(*slot);
	*slot = fresh;
	return fresh;
}

void cache_clear(struct cache *cache)
{
	for (int s = 0; s < CACHE_SETS; s++)
		for (int i = 0; i < CACHE_WAYS; i++)
			if (cache->ways[s][i]) {
				file_release(cache->ways[s][i]);
				cache->ways[s][i] = NULL;
			}
}
