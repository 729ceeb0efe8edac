/* SPDX-License-Identifier: MIT */
/* From a request target to a path below the root: decoded once, without `.` and `..`, without a leading slash. */
#ifndef TARGET_H
#define TARGET_H

#include <stddef.h>

enum { PATH_LIMIT = 1024 };

/* Writes a NUL-terminated path of at most PATH_LIMIT - 1 bytes; returns its length or a negated status. */
long target_path(const char *target, size_t len, char path[PATH_LIMIT]);

#endif
