/* SPDX-License-Identifier: MIT */
/*
 * Finds the file of one request through the ring, a step a completion:
 *
 *   COMPARE (statx) --unchanged--> done
 *      | changed, or not known
 *   OPEN (openat2) -> STAT (statx) -> READ (small files; repeated after a short read) -> done
 *
 * The kernel holds pointers into this struct while a step is under way, so it lives as long as its connection.
 */
#ifndef LOOKUP_H
#define LOOKUP_H

#include <linux/openat2.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "request.h"
#include "target.h"

struct worker;
struct connection;
struct file;

struct lookup {
	enum { COMPARE, OPEN, STAT, READ } step;
	bool done;
	int status;          /* when done without a file */
	int fd;              /* opened and not yet the file's, else -1 */
	struct file *file;   /* held */
	size_t got;          /* bytes of a small file that were read */
	struct request request;
	struct open_how how;
	struct statx statx;
	size_t len;
	char path[PATH_LIMIT];
};

/* `known` is an entry that has to be compared with the file system, or NULL. Returns false without memory. */
bool lookup_start(struct worker *worker, struct connection *connection, const struct request *request,
		  const char *path, size_t len, struct file *known);
void lookup_step(struct worker *worker, struct connection *connection, int result);
void lookup_free(struct worker *worker, struct lookup *lookup);

#endif
