/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void usage(const char *problem, const char *detail)
{
	if (problem)
		fprintf(stderr, SERVER_NAME ": %s%s\n", problem, detail);
	fprintf(problem ? stderr : stdout,
		"usage: " SERVER_NAME " --root DIR [--address 127.0.0.1] [--port 8080] [--workers 2] [--baseline 0] [--ring-files 0] [--nopush 1]\n");
	exit(problem ? 2 : 0);
}

static unsigned number(const char *name, const char *text, unsigned min, unsigned max)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (text[0] < '0' || text[0] > '9' || *end != '\0' || n < min || n > max) {
		char detail[80];
		snprintf(detail, sizeof detail, "%s takes a number from %u to %u", name, min, max);
		usage(detail, "");
	}
	return (unsigned)n;
}

void options_parse(struct options *o, int argc, char **argv)
{
	*o = (struct options){ .address = "127.0.0.1", .port = 8080, .workers = 2, .nopush = true };
	for (int i = 1; i < argc; i++) {
		const char *name = argv[i];
		if (strcmp(name, "--help") == 0)
			usage(NULL, NULL);
		if (i + 1 == argc)
			usage("a value is missing after ", name);
		const char *value = argv[++i];
		if (strcmp(name, "--address") == 0)
			o->address = value;
		else if (strcmp(name, "--port") == 0)
			o->port = number(name, value, 0, 65535);
		else if (strcmp(name, "--root") == 0)
			o->root = value;
		else if (strcmp(name, "--workers") == 0)
			o->workers = (int)number(name, value, 1, WORKERS_MAX);
		else if (strcmp(name, "--baseline") == 0)
			o->baseline = number(name, value, 0, 1);
		else if (strcmp(name, "--ring-files") == 0)
			o->ring_files = number(name, value, 0, 1);
		else if (strcmp(name, "--nopush") == 0)
			o->nopush = number(name, value, 0, 1);
		else
			usage("unknown option ", name);
	}
	if (o->root == NULL)
		usage("--root is needed: the folder whose files are served", "");
}
