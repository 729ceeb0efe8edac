/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "allocator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef WITH_MIMALLOC
#include <mimalloc.h>
#include <uv.h>

/* This server's own calls are mimalloc's by the header that the Makefile includes everywhere; libuv must be told. */
void allocator_choose(const struct options *options, char **argv)
{
	(void)options, (void)argv;
	if (uv_replace_allocator(mi_malloc, mi_realloc, mi_calloc, mi_free) != 0) {
		fputs(SERVER_NAME ": libuv does not take mimalloc's functions\n", stderr);
		exit(1);
	}
}

const char *allocator_name(void)
{
	static char name[40];

	snprintf(name, sizeof name, "mimalloc %d.%d", mi_version() / 100, mi_version() / 10 % 10);
	return name;
}
#else
void allocator_choose(const struct options *options, char **argv)
{
	char program[4096];

	if (!options->mimalloc)
		return;
	snprintf(program, sizeof program, "%s-mimalloc", argv[0]);
	if (strlen(program) + 1 < sizeof program)
		execvp(program, argv);
	fputs(SERVER_NAME ": this build has no mimalloc; install it (sudo apt install libmimalloc-dev, or brew install mimalloc) "
	      "and build again (rigmark build --force libuv), or set the option mimalloc to 0\n", stderr);
	exit(1);
}

const char *allocator_name(void) { return "the C library's malloc"; }
#endif
