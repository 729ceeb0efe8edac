/* SPDX-License-Identifier: MIT */
/* What was typed on the command line. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>

enum { WORKERS_MAX = 64, RESPONSE_BUFFER_MIN = 512, RESPONSE_BUFFER_MAX = 65536 };

struct options {
	const char *address;
	unsigned port;
	const char *root;
	int workers;
	unsigned response_buffer; /* bytes: what fits is copied into one write, a larger body is sent from where it stands */
	bool nodelay;
	unsigned tcp_keepalive_s; /* of silence until the first probe; 0: none */
	bool mimalloc;
};

/* Says on stderr what is wrong and exits with 2 when the line cannot be used. */
void options_parse(struct options *options, int argc, char **argv);

#endif
