/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "request.h"

#include <endian.h>
#include <string.h>

enum { TOKEN = 1, TARGET = 2, PLAIN = 4 };

/*
 * Per byte: 1 = may stand in a token (method, header name), 2 = may stand in a request target, 4 = stands in a target
 * for nothing but itself.
 */
static const unsigned char byte_class[256] = {
	['!'] = 3, ['"'] = 2, ['#'] = 3, ['$'] = 3, ['%'] = 3, ['&'] = 3, ['\''] = 3, ['('] = 2, [')'] = 2, ['*'] = 3,
	['+'] = 3, [','] = 2, ['-'] = 7, ['.'] = 7, ['/'] = 2, ['0' ... '9'] = 7, [':' ... '@'] = 2, ['A' ... 'Z'] = 7,
	['['] = 2, ['\\'] = 2, [']'] = 2, ['^'] = 3, ['_'] = 7, ['`'] = 3, ['a' ... 'z'] = 7, ['{'] = 2, ['|'] = 3,
	['}'] = 2, ['~'] = 3, [128 ... 255] = 2,
};

static bool is_token(char c) { return byte_class[(unsigned char)c] & TOKEN; }

typedef unsigned char bytes16 __attribute__((vector_size(16)));

/* The first CR, LF or NUL, or `end`: 16 bytes at a time, for a value is most of a head. */
static const char *value_end(const char *p, const char *end)
{
	const bytes16 nul = {0}, cr = nul + '\r', lf = nul + '\n';
	uint64_t halves[2];

	for (; end - p >= (ptrdiff_t)sizeof nul; p += sizeof nul) {
		bytes16 here, found;
		memcpy(&here, p, sizeof here);
		found = (bytes16)(here == cr) | (bytes16)(here == lf) | (bytes16)(here == nul);
		memcpy(halves, &found, sizeof halves);
		if (halves[0] | halves[1])
			return p + (halves[0] ? 0 : 8) + __builtin_ctzll(le64toh(halves[0] ? halves[0] : halves[1])) / 8;
	}
	while (p < end && *p != '\r' && *p != '\n' && *p != '\0')
		p++;
	return p;
}

/* `lower` is lower case; header names and list tokens hold no byte for which |0x20 would make a false match. */
static bool same(const char *text, const char *lower, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((text[i] | 0x20) != lower[i])
			return false;
	return true;
}

static bool list_has(const char *list, size_t len, const char *lower)
{
	size_t want = strlen(lower);
	for (const char *end = list + len; list < end;) {
		const char *comma = memchr(list, ',', (size_t)(end - list));
		const char *stop = comma ? comma : end;
		const char *last = stop;
		while (list < last && (*list == ' ' || *list == '\t'))
			list++;
		while (last > list && (last[-1] == ' ' || last[-1] == '\t'))
			last--;
		if ((size_t)(last - list) == want && same(list, lower, want))
			return true;
		list = stop + 1;
	}
	return false;
}

/* Like header_line and request_parse: returns the number of bytes used, 0 when more are needed, or a negated status. */
static long request_line(const char *line, const char *end, struct request *r)
{
	const char *p = line;

	if (end - p > 4 && memcmp(p, "GET ", 4) == 0) {
		r->method = METHOD_GET;
		p += 3;
	} else if (end - p > 5 && memcmp(p, "HEAD ", 5) == 0) {
		r->method = METHOD_HEAD;
		p += 4;
	} else {
		r->method = METHOD_OTHER;
		while (p < end && is_token(*p))
			p++;
		if (p == end)
			return 0;
		if (p == line || *p != ' ')
			return -400; /* not HTTP at all: do not wait for a line that may never end */
	}
	r->target = ++p;
	unsigned class, all = TARGET | PLAIN;
	if (p < end && *p == '/')
		p++;
	for (; p < end && ((class = byte_class[(unsigned char)*p]) & TARGET); p++)
		all &= class;
	r->target_len = (size_t)(p - r->target);
	/* One name right below the root, spelled as it is: no decoding, and no `.` or `..`. */
	r->plain = (all & PLAIN) && r->target_len > 1 && r->target[0] == '/' && r->target[1] != '.';
	if (end - p < 11)
		return memchr(p, '\n', (size_t)(end - p)) ? -400 : 0;
	if (r->target_len == 0 || memcmp(p, " HTTP/", 6) != 0 || memcmp(p + 9, "\r\n", 2) != 0)
		return -400;
	if (p[6] < '0' || p[6] > '9' || p[7] != '.' || p[8] < '0' || p[8] > '9')
		return -400;
	if (p[6] != '1')
		return -505;
	r->http10 = p[8] == '0';
	r->keep_alive = !r->http10;
	return p + 11 - line;
}

static bool content_length(const char *value, size_t len, bool seen, struct request *r)
{
	uint64_t n = 0;

	if (len == 0 || len > 18)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (value[i] < '0' || value[i] > '9')
			return false;
		n = n * 10 + (uint64_t)(value[i] - '0');
	}
	if (seen && n != r->body_len)
		return false; /* two lengths: whoever believed the other one would see another request here */
	r->body_len = n;
	return true;
}

struct seen { bool host, length, encoding; };

static long header_line(const char *line, const char *data_end, struct request *r, struct seen *seen)
{
	const char *colon = line;

	while (colon < data_end && is_token(*colon))
		colon++;
	if (colon == data_end)
		return 0;
	if (colon == line || *colon != ':')
		return -400; /* also a folded line and a blank before the colon */
	const char *value = colon + 1, *end = value_end(value, data_end);
	if (data_end - end < 2)
		return end == data_end || *end == '\r' ? 0 : -400;
	if (end[0] != '\r' || end[1] != '\n')
		return -400; /* NUL, or CR and LF without the other */
	long used = end + 2 - line;
	while (value < end && (*value == ' ' || *value == '\t'))
		value++;
	while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	size_t value_len = (size_t)(end - value);

	switch (colon - line) {
	case 4:
		if (!same(line, "host", 4))
			break;
		if (seen->host)
			return -400;
		seen->host = true;
		break;
	case 6:
		if (same(line, "expect", 6))
			r->body_unknown = true; /* the client may or may not send the body now */
		break;
	case 10:
		if (!same(line, "connection", 10))
			break;
		if (value_len == 10 && same(value, "keep-alive", 10))
			r->keep_alive = true;
		else if (list_has(value, value_len, "close"))
			r->keep_alive = false;
		else if (r->http10 && list_has(value, value_len, "keep-alive"))
			r->keep_alive = true;
		break;
	case 14:
		if (same(line, "content-length", 14)) {
			if (!content_length(value, value_len, seen->length, r))
				return -400;
			seen->length = true;
		}
		break;
	case 17:
		if (same(line, "transfer-encoding", 17)) {
			seen->encoding = true;
			r->body_unknown = true;
		}
		break;
	}
	return used;
}

long request_parse(const char *data, size_t len, struct request *r)
{
	const char *p = data, *end = data + len;
	struct seen seen = {0};
	long used;

	r->body_len = 0;
	r->body_unknown = false;
	while (end - p >= 2 && p[0] == '\r' && p[1] == '\n')
		p += 2; /* a stray empty line before a request is allowed */
	if (end - p == 1 && *p == '\r')
		return 0;
	used = request_line(p, end, r);
	while (used > 0) {
		p += used;
		if (end - p >= 2 && p[0] == '\r' && p[1] == '\n')
			break;
		used = end - p == 1 && *p == '\r' ? 0 : header_line(p, end, r, &seen);
	}
	if (used <= 0)
		return used;
	if ((!seen.host && !r->http10) || (seen.encoding && (seen.length || r->http10)))
		return -400;
	if (p + 2 - data > REQUEST_MAX)
		return -431;
	return p + 2 - data;
}
