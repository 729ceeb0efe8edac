/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "websocket.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "connection.h"
#include "utf8.h"
#include "worker.h"

enum { CONTINUATION = 0, TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10 };
enum { NORMAL = 1000, BROKEN_RULE = 1002, NOT_TEXT = 1007, TOO_LARGE = 1009, NO_MEMORY = 1011 };
enum { FRAME_HEAD_MAX = 14, OWN_HEAD_MAX = 10, CONTROL_MAX = 125, KEPT = 65536 };

struct websocket {
	unsigned char head[FRAME_HEAD_MAX]; /* of the frame that is being read */
	unsigned char head_len, head_want;
	uint64_t left, done;                /* bytes of its payload */
	unsigned char opcode;               /* of the message under way, 0: none */
	bool sent;                          /* the message stands in the worker's tail */
	unsigned char control[CONTROL_MAX];
	char *message;
	size_t len, size;
};

struct websocket *websocket_new(void)
{
	struct websocket *ws = calloc(1, sizeof *ws);

	if (ws)
		ws->head_want = 2;
	return ws;
}

void websocket_free(struct websocket *ws)
{
	if (ws)
		free(ws->message);
	free(ws);
}

/* The mask repeats every four bytes; `from` is where in the frame the first byte stands. */
static void unmask(char *out, const char *in, size_t len, const unsigned char mask[4], uint64_t from)
{
	unsigned char turned[8];
	uint64_t word, key;
	size_t i = 0;

	for (int k = 0; k < 8; k++)
		turned[k] = mask[(from + (uint64_t)k) & 3];
	memcpy(&key, turned, 8);
	for (; i + 8 <= len; i += 8) {
		memcpy(&word, in + i, 8);
		word ^= key;
		memcpy(out + i, &word, 8);
	}
	for (; i < len; i++)
		out[i] = (char)(in[i] ^ (char)turned[i & 7]);
}

static void put_head(struct worker *w, int opcode, size_t len)
{
	unsigned char *out = (unsigned char *)w->out + w->out_len;

	*out++ = (unsigned char)(0x80 | opcode);
	if (len < 126) {
		*out++ = (unsigned char)len;
	} else if (len < 65536) {
		*out++ = 126;
		*out++ = (unsigned char)(len >> 8);
		*out++ = (unsigned char)len;
	} else {
		*out++ = 127;
		for (int shift = 56; shift >= 0; shift -= 8)
			*out++ = (unsigned char)((uint64_t)len >> shift);
	}
	w->out_len = (size_t)(out - (unsigned char *)w->out);
}

static void put_small(struct worker *w, int opcode, const void *bytes, size_t len)
{
	put_head(w, opcode, len);
	memcpy(w->out + w->out_len, bytes, len);
	w->out_len += len;
}

static void end_with(struct connection *c, int code)
{
	unsigned char payload[2] = { (unsigned char)(code >> 8), (unsigned char)code };

	put_small(c->worker, CLOSE, payload, 2);
	c->last = true;
	c->linger = true;
}

static bool code_is_fine(unsigned code)
{
	return (code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006) || (code >= 3000 && code <= 4999);
}

static void respond_control(struct connection *c, int opcode, size_t len)
{
	struct websocket *ws = c->ws;

	if (opcode == PING) {
		put_small(c->worker, PONG, ws->control, len);
	} else if (opcode == CLOSE) {
		unsigned code = len >= 2 ? (unsigned)ws->control[0] << 8 | ws->control[1] : NORMAL;
		if (len == 1 || !code_is_fine(code))
			end_with(c, BROKEN_RULE);
		else if (len > 2 && !utf8_valid((char *)ws->control + 2, len - 2))
			end_with(c, NOT_TEXT);
		else
			end_with(c, (int)code);
	}
}

/* The whole message is there. */
static void echo(struct connection *c)
{
	struct websocket *ws = c->ws;
	struct worker *w = c->worker;
	int opcode = ws->opcode;

	ws->opcode = 0;
	if (opcode == TEXT && !utf8_valid(ws->message, ws->len)) {
		end_with(c, NOT_TEXT);
		return;
	}
	put_head(w, opcode, ws->len);
	if (ws->len == 0)
		return;
	w->tail = ws->message;
	w->tail_len = ws->len;
	ws->sent = true;
}

/* Makes room for `more` bytes: at least doubled, so that copying stays cheap. */
static bool grow(struct websocket *ws, size_t more)
{
	size_t size = ws->size ? ws->size : 4096;
	char *larger;

	while (size < ws->len + more)
		size *= 2;
	if (size == ws->size)
		return true;
	if ((larger = realloc(ws->message, size)) == NULL)
		return false;
	ws->message = larger;
	ws->size = size;
	return true;
}

/* The head of a frame is whole: its length, or 0 and a close frame where it breaks a rule. */
static bool check_head(struct connection *c)
{
	struct websocket *ws = c->ws;
	const unsigned char *head = ws->head;
	int opcode = head[0] & 15, fin = head[0] & 0x80, short_len = head[1] & 127;
	bool data = opcode <= BINARY, fits = true;

	ws->left = (uint64_t)short_len;
	if (short_len >= 126) {
		ws->left = 0;
		for (int i = 2; i < (short_len == 126 ? 4 : 10); i++)
			ws->left = ws->left << 8 | head[i];
		fits = ws->left > (short_len == 126 ? 125u : 65535u); /* the shortest form must be used */
	}
	ws->done = 0;
	/* RFC 6455, 5.2: the highest bit of a length is 0. */
	if ((head[0] & 0x70) || !fits || ws->left >> 63 || (data ? (opcode == CONTINUATION) != (ws->opcode != 0) : opcode < CLOSE || opcode > PONG || !fin || ws->left > CONTROL_MAX)) {
		end_with(c, BROKEN_RULE);
		return false;
	}
	if (data && opcode != CONTINUATION) {
		ws->opcode = (unsigned char)opcode;
		ws->len = 0;
	}
	if (data && ws->left > MESSAGE_MAX - ws->len) {
		end_with(c, TOO_LARGE);
		return false;
	}
	return true;
}

/* A message of one frame that stands whole in the input: unmasked where it goes out. */
static bool echo_straight(struct connection *c, const char *bytes, size_t len)
{
	struct websocket *ws = c->ws;
	struct worker *w = c->worker;
	size_t size = (size_t)ws->left;

	if ((ws->head[0] & 0x8f) != (0x80 | ws->opcode) || len < size || w->out_len + OWN_HEAD_MAX + size > w->out_size)
		return false;
	size_t before = w->out_len;
	put_head(w, ws->opcode, size);
	char *out = w->out + w->out_len;
	unmask(out, bytes, size, ws->head + ws->head_len - 4, 0);
	w->out_len += size;
	if (ws->opcode == TEXT && !utf8_valid(out, size)) {
		w->out_len = before;
		end_with(c, NOT_TEXT);
	}
	ws->opcode = 0;
	return true;
}

static void frame_done(struct connection *c)
{
	struct websocket *ws = c->ws;
	int opcode = ws->head[0] & 15, fin = ws->head[0] & 0x80;

	if (opcode >= CLOSE)
		respond_control(c, opcode, (size_t)ws->done);
	else if (fin)
		echo(c);
	ws->head_len = 0;
	ws->head_want = 2;
}

static size_t take_head(struct websocket *ws, const char *bytes, size_t len)
{
	size_t used = 0;

	while (used < len && ws->head_len < ws->head_want) {
		ws->head[ws->head_len++] = (unsigned char)bytes[used++];
		if (ws->head_len == 2) {
			int short_len = ws->head[1] & 127;
			ws->head_want = (unsigned char)(6 + (short_len == 126 ? 2 : short_len == 127 ? 8 : 0));
		}
	}
	return used;
}

/* Some of the payload of a frame. Returns how much, 0 without memory. */
static size_t take_payload(struct connection *c, const char *bytes, size_t len)
{
	struct websocket *ws = c->ws;
	size_t n = len < ws->left ? len : (size_t)ws->left;
	const unsigned char *mask = ws->head + ws->head_len - 4;
	char *to;

	if ((ws->head[0] & 15) >= CLOSE) {
		to = (char *)ws->control + ws->done;
	} else if (grow(ws, n)) {
		to = ws->message + ws->len;
		ws->len += n;
	} else {
		return 0;
	}
	unmask(to, bytes, n, mask, ws->done);
	ws->done += n;
	ws->left -= n;
	return n;
}

size_t websocket_take(struct connection *c, char *bytes, size_t len)
{
	struct websocket *ws = c->ws;
	struct worker *w = c->worker;
	size_t used = 0;

	if (ws->sent) { /* the worker has copied or sent it */
		ws->sent = false;
		ws->len = 0;
		if (ws->size > KEPT) {
			free(ws->message);
			ws->message = NULL;
			ws->size = 0;
		}
	}
	/* There must be room for the head of a message or a whole control frame. */
	while (used < len && !c->last && !w->tail && w->out_len + OWN_HEAD_MAX + CONTROL_MAX <= w->out_size) {
		if (ws->head_len < ws->head_want) {
			used += take_head(ws, bytes + used, len - used);
			if (ws->head_len >= 2 && !(ws->head[1] & 0x80)) {
				end_with(c, BROKEN_RULE);
				break;
			}
			if (ws->head_len < ws->head_want || ws->head_len < 6)
				continue;
			if (!check_head(c))
				break;
			if ((ws->head[0] & 15) < CLOSE && echo_straight(c, bytes + used, len - used)) {
				used += (size_t)ws->left;
				ws->head_len = 0;
				ws->head_want = 2;
				continue;
			}
		} else {
			size_t n = take_payload(c, bytes + used, len - used);
			if (n == 0) {
				end_with(c, NO_MEMORY);
				break;
			}
			used += n;
		}
		if (ws->left == 0)
			frame_done(c);
	}
	if (c->last)
		return len; /* what comes after the end is not looked at */
	return used;
}
