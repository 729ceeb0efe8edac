/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "request.h"

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

static int request_line(const char *line, size_t len, struct request *r)
{
	const char *p = line, *end = line + len;

	if (len > 4 && memcmp(line, "GET ", 4) == 0) {
		r->method = METHOD_GET;
		p += 3;
	} else if (len > 5 && memcmp(line, "HEAD ", 5) == 0) {
		r->method = METHOD_HEAD;
		p += 4;
	} else {
		r->method = METHOD_OTHER;
		while (p < end && is_token(*p))
			p++;
		if (p == line || p == end || *p != ' ')
			return 400;
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
	if (r->target_len == 0 || end - p != 9 || memcmp(p, " HTTP/", 6) != 0)
		return 400;
	if (p[6] < '0' || p[6] > '9' || p[7] != '.' || p[8] < '0' || p[8] > '9')
		return 400;
	if (p[6] != '1')
		return 505;
	r->http10 = p[8] == '0';
	r->keep_alive = !r->http10;
	return 0;
}

static int content_length(const char *value, size_t len, bool seen, struct request *r)
{
	uint64_t n = 0;

	if (len == 0 || len > 18)
		return 400;
	for (size_t i = 0; i < len; i++) {
		if (value[i] < '0' || value[i] > '9')
			return 400;
		n = n * 10 + (uint64_t)(value[i] - '0');
	}
	if (seen && n != r->body_len)
		return 400; /* two lengths: whoever believed the other one would see another request here */
	r->body_len = n;
	return 0;
}

struct seen { bool host, length, encoding; };

static int header_line(const char *line, size_t len, struct request *r, struct seen *seen)
{
	const char *colon = line, *end = line + len;

	while (colon < end && is_token(*colon))
		colon++;
	if (colon == line || colon == end || *colon != ':')
		return 400; /* also a folded line and a blank before the colon */
	const char *value = colon + 1;
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
			return 400;
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
			int status = content_length(value, value_len, seen->length, r);
			if (status)
				return status;
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
	return 0;
}

typedef unsigned char bytes16 __attribute__((vector_size(16)));

static bytes16 load(const char *from)
{
	bytes16 v;

	memcpy(&v, from, sizeof v);
	return v;
}

/*
 * No NUL, and no CR without LF behind it (that LF has CR before it was seen line by line). One pass over the whole head,
 * 16 bytes at a time, instead of two searches a line. `head` ends with LF.
 */
static bool clean(const char *head, size_t len)
{
	const bytes16 nul = {0}, cr = nul + '\r', lf = nul + '\n';
	bytes16 bad = {0};
	uint64_t halves[2];

	for (size_t at = 0; len < sizeof bad + 1 && at < len; at++)
		if (head[at] == '\0' || (head[at] == '\r' && (at + 1 == len || head[at + 1] != '\n')))
			return false;
	for (size_t at = 0; len > sizeof bad && at + 1 < len; at += sizeof bad) {
		if (at + sizeof bad + 1 > len)
			at = len - sizeof bad - 1; /* some bytes a second time, which does no harm */
		bytes16 here = load(head + at), next = load(head + at + 1);
		bad |= (bytes16)(here == nul) | ((bytes16)(here == cr) & (bytes16)(next != lf));
	}
	memcpy(halves, &bad, sizeof halves);
	return (halves[0] | halves[1]) == 0;
}

long request_parse(const char *data, size_t len, struct request *r)
{
	const char *p = data, *end = data + len;
	struct seen seen = {0};
	const char *start;
	bool first = true;

	r->body_len = 0;
	r->body_unknown = false;
	while (end - p >= 2 && p[0] == '\r' && p[1] == '\n')
		p += 2; /* a stray empty line before a request is allowed */
	start = p;
	if (p < end && *p != '\r' && !is_token(*p))
		return -400; /* not HTTP at all: do not wait for a line that may never end */
	for (;;) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		if (newline == NULL)
			return 0;
		if (newline == p || newline[-1] != '\r')
			return -400;
		size_t line_len = (size_t)(newline - 1 - p);
		int status;
		if (first)
			status = request_line(p, line_len, r);
		else if (line_len == 0)
			break;
		else
			status = header_line(p, line_len, r, &seen);
		if (status)
			return -status;
		first = false;
		p = newline + 1;
	}
	if (!clean(start, (size_t)(p + 2 - start)))
		return -400; /* NUL, or CR anywhere but at the end of a line */
	if ((!seen.host && !r->http10) || (seen.encoding && (seen.length || r->http10)))
		return -400;
	if (p + 2 - data > REQUEST_MAX)
		return -431;
	return p + 2 - data;
}
