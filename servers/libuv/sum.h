/* SPDX-License-Identifier: MIT */
/* A JSON array of integers, added up as it arrives: no byte of the body is kept. */
#ifndef SUM_H
#define SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sum_state { SUM_START, SUM_FIRST, SUM_VALUE, SUM_SIGN, SUM_ZERO, SUM_DIGITS, SUM_AFTER, SUM_END, SUM_BAD };

struct sum {
	enum sum_state state;
	bool negative;
	uint64_t number;    /* without its sign */
	uint64_t low;       /* the sum in 128 bits: what fits in the end may not fit on the way */
	int64_t high;
};

void sum_begin(struct sum *sum);
void sum_feed(struct sum *sum, const char *bytes, size_t len);

/* False when the body was no array of integers, or a number or the sum does not fit 64 bits. */
bool sum_end(const struct sum *sum, int64_t *total);

#endif
