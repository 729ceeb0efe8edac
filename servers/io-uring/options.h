/* SPDX-License-Identifier: MIT */
/* What was typed on the command line. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>

enum { WORKERS_MAX = 64 };

struct options {
	const char *address;
	unsigned port;
	const char *root;
	int workers;
	bool nopush; /* large files in full packets, else the head leaves at once */
	bool ring_files; /* large files are read and sent through the ring, not by sendfile */
	bool baseline; /* use only what Linux 5.15 has, whatever the kernel offers */
};

/* Says on stderr what is wrong and exits with 2 when the line cannot be used. */
void options_parse(struct options *options, int argc, char **argv);

#endif
