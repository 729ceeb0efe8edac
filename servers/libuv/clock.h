/* SPDX-License-Identifier: MIT */
/* The time as a worker needs it: a coarse monotonic clock and the Date line, remade once a second. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>
#include <time.h>

enum { DATE_LINE = 37 }; /* "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n" */

struct clock {
	uint64_t ms;    /* monotonic */
	time_t second;  /* wall clock */
	char date[DATE_LINE + 1];
};

void clock_tick(struct clock *clock);

#endif
