/* SPDX-License-Identifier: MIT */
#include "sum.h"

void sum_begin(struct sum *s) { *s = (struct sum){ .state = SUM_START }; }

static bool blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

static void take_number(struct sum *s)
{
	uint64_t n = s->negative ? 0 - s->number : s->number, low = s->low + n;

	if (s->number > (uint64_t)INT64_MAX + s->negative) {
		s->state = SUM_BAD;
		return;
	}
	s->high += (low < n) - (s->negative && n != 0);
	s->low = low;
}

/* What may stand after a value or a number: a blank, a comma or the end. */
static void after(struct sum *s, char c)
{
	if (c == ',')
		s->state = SUM_VALUE;
	else if (c == ']')
		s->state = SUM_END;
	else
		s->state = blank(c) ? SUM_AFTER : SUM_BAD;
}

static void value(struct sum *s, char c)
{
	s->negative = c == '-';
	s->number = 0;
	if (c == '-') {
		s->state = SUM_SIGN;
	} else if (c >= '0' && c <= '9') {
		s->number = (uint64_t)(c - '0');
		s->state = c == '0' ? SUM_ZERO : SUM_DIGITS;
	} else if (!blank(c)) {
		s->state = c == ']' && s->state == SUM_FIRST ? SUM_END : SUM_BAD;
	}
}

void sum_feed(struct sum *s, const char *p, size_t len)
{
	for (const char *end = p + len; p < end; p++) {
		char c = *p;
		switch (s->state) {
		case SUM_DIGITS:
			if (c >= '0' && c <= '9') {
				/* 2^63 has 19 digits, so ten times what was seen cannot wrap unless it is too large already. */
				if (s->number > (uint64_t)INT64_MAX / 10)
					s->state = SUM_BAD;
				s->number = s->number * 10 + (uint64_t)(c - '0');
				break;
			}
			/* fall through */
		case SUM_ZERO: /* no digit may follow a leading zero */
			take_number(s);
			if (s->state != SUM_BAD)
				after(s, c);
			break;
		case SUM_SIGN:
			s->number = (uint64_t)(c - '0');
			s->state = c < '0' || c > '9' ? SUM_BAD : c == '0' ? SUM_ZERO : SUM_DIGITS;
			break;
		case SUM_FIRST:
		case SUM_VALUE:
			value(s, c);
			break;
		case SUM_AFTER:
			after(s, c);
			break;
		case SUM_START:
			if (!blank(c))
				s->state = c == '[' ? SUM_FIRST : SUM_BAD;
			break;
		case SUM_END:
			if (!blank(c))
				s->state = SUM_BAD;
			break;
		case SUM_BAD:
			return;
		}
	}
}

bool sum_end(const struct sum *s, int64_t *total)
{
	*total = (int64_t)s->low;
	return s->state == SUM_END && s->high == (*total < 0 ? -1 : 0);
}
