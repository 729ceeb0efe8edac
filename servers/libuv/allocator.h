/* SPDX-License-Identifier: MIT */
/*
 * Memory: the C library's, or mimalloc's. There are two programs, since an allocator that is linked is everybody's:
 * `libuv`, and `libuv-mimalloc` where mimalloc was there at build time.
 */
#ifndef ALLOCATOR_H
#define ALLOCATOR_H

#include "options.h"

/* First of all, before anything is allocated: becomes the program with mimalloc when that was asked for. */
void allocator_choose(const struct options *options, char **argv);
const char *allocator_name(void);

#endif
