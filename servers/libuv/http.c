/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "http.h"

#include <string.h>

#include "answer.h"
#include "connection.h"
#include "target.h"
#include "worker.h"

static struct connection *owner(llhttp_t *parser) { return parser->data; }

/* Counts what llhttp itself does not limit. */
static int count(struct connection *c, size_t len)
{
	c->head_len += (uint32_t)len;
	if (c->head_len <= REQUEST_MAX)
		return 0;
	c->status = 431;
	return -1;
}

static int on_begin(llhttp_t *parser)
{
	struct connection *c = owner(parser);

	c->status = 0;
	c->head_len = 0;
	c->target_len = 0;
	c->hosts = 0;
	c->name_len = 0;
	c->expects = false;
	return 0;
}

static int on_url(llhttp_t *parser, const char *at, size_t len)
{
	struct connection *c = owner(parser);

	if (c->target_len + len > TARGET_LIMIT) {
		c->status = 414;
		return -1;
	}
	memcpy(c->target + c->target_len, at, len);
	c->target_len += (uint16_t)len;
	return count(c, len);
}

static int on_field(llhttp_t *parser, const char *at, size_t len)
{
	struct connection *c = owner(parser);

	for (size_t i = 0; i < len && c->name_len < sizeof c->name; i++)
		c->name[c->name_len++] = (char)(at[i] | 0x20);
	return count(c, len + 4); /* the colon, a blank and the end of the line */
}

static int on_field_complete(llhttp_t *parser)
{
	struct connection *c = owner(parser);

	if (c->name_len == 4 && memcmp(c->name, "host", 4) == 0 && c->hosts < 2)
		c->hosts++;
	else if (c->name_len == 6 && memcmp(c->name, "expect", 6) == 0)
		c->expects = true;
	c->name_len = 0;
	return 0;
}

static int on_value(llhttp_t *parser, const char *at, size_t len)
{
	(void)at;
	return count(owner(parser), len);
}

static enum connection_line ending(struct connection *c)
{
	if (!llhttp_should_keep_alive(&c->parser) || c->worker->draining)
		c->last = true;
	if (c->last)
		return LINE_CLOSE;
	return c->parser.http_minor == 0 ? LINE_KEEP_ALIVE : LINE_NONE;
}

static void put(struct connection *c, const struct head *head, const char *body, size_t len)
{
	struct worker *w = c->worker;

	w->out_len += head_write(w->out + w->out_len, head, w->clock.date, ending(c));
	if (c->parser.method == HTTP_HEAD || body == NULL)
		return;
	memcpy(w->out + w->out_len, body, len);
	w->out_len += len;
}

static void put_fixed(struct connection *c, const struct fixed_answer *a)
{
	put(c, &a->head, a->body, a->body_len);
}

void http_put_error(struct connection *c, int status)
{
	c->last = c->linger = true;
	put_fixed(c, answer_error(status));
}

static void answer_file(struct connection *c, const char *path, size_t len)
{
	struct worker *w = c->worker;
	int status = 0;
	struct file *f = cache_get(&w->cache, path, len, &w->clock, &status);

	if (f == NULL) {
		put_fixed(c, answer_error(status));
	} else if (f->body || c->parser.method == HTTP_HEAD) {
		put(c, &f->head, f->body, (size_t)f->size);
	} else {
		/* What stands in the out buffer already leaves with the head of this file. */
		put(c, &f->head, NULL, 0);
		if (transfer_start(c, f, w->out, w->out_len))
			w->out_len = 0;
		else
			connection_close(c);
	}
}

static void answer(struct connection *c)
{
	char path[PATH_LIMIT];

	if (c->parser.method != HTTP_GET && c->parser.method != HTTP_HEAD) {
		put_fixed(c, answer_error(405));
		return;
	}
	long len = target_path(c->target, c->target_len, path);
	if (len < 0)
		put_fixed(c, answer_error((int)-len));
	else if (len == 9 && memcmp(path, "plaintext", 9) == 0)
		put_fixed(c, answer_plaintext());
	else
		answer_file(c, path, (size_t)len);
}

static int on_headers(llhttp_t *parser)
{
	struct connection *c = owner(parser);

	if (parser->http_major != 1)
		c->status = 505;
	else if (c->hosts > 1 || (c->hosts == 0 && parser->http_minor > 0))
		c->status = 400;
	if (c->status)
		return -1;
	parser->upgrade = 0; /* no protocol to change to: it is a request like any other */
	if (!c->expects)
		return 0;
	/* The client waits for leave to send its body, or has sent it: nobody knows. Answer and end. */
	c->last = c->linger = true;
	answer(c);
	return -1;
}

static int on_complete(llhttp_t *parser)
{
	struct connection *c = owner(parser);

	answer(c);
	/* The rest waits while a file is under way, and while there is no room for another answer. */
	if (c->transfer || c->last || c->closed || c->worker->out_len + HEAD_MAX + SMALL_FILE > OUT_SIZE)
		return HPE_PAUSED;
	return 0;
}

void http_settings(llhttp_settings_t *s)
{
	llhttp_settings_init(s);
	s->on_message_begin = on_begin;
	s->on_url = on_url;
	s->on_header_field = on_field;
	s->on_header_field_complete = on_field_complete;
	s->on_header_value = on_value;
	s->on_headers_complete = on_headers;
	s->on_message_complete = on_complete;
}

void http_begin(struct connection *c)
{
	llhttp_init(&c->parser, HTTP_REQUEST, &c->worker->settings);
	c->parser.data = c;
}

int http_status(const struct connection *c, llhttp_errno_t error, char first_byte)
{
	if (c->status)
		return c->status;
	if (error == HPE_INVALID_VERSION)
		return 505;
	/* A word in capitals is a method that llhttp does not know; anything else is no HTTP. */
	if (error == HPE_INVALID_METHOD && first_byte >= 'A' && first_byte <= 'Z')
		return 501;
	return 400;
}
