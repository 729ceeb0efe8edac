/* SPDX-License-Identifier: MIT */
/* What was typed on the command line. */
#ifndef OPTIONS_H
#define OPTIONS_H

enum { WORKERS_MAX = 64 };

struct options {
	const char *address;
	unsigned port;
	const char *root;
	int workers;
};

/* Says on stderr what is wrong and exits with 2 when the line cannot be used. */
void options_parse(struct options *options, int argc, char **argv);

#endif
