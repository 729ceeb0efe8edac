/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "http.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "response.h"
#include "connection.h"
#include "target.h"
#include "texts.h"
#include "websocket.h"
#include "worker.h"

#define GO_ON "HTTP/1.1 100 Continue\r\n\r\n"

/* What one request can put into the out buffer, the body of a file or an error apart. */
enum { RESPONSE_MAX = sizeof GO_ON - 1 + HEAD_MAX + TEXT_MAX };
_Static_assert((int)RESPONSE_MAX <= (int)RESPONSE_BUFFER_MIN, "the smallest buffer takes a response");

static struct connection *owner(llhttp_t *parser) { return parser->data; }

static int limit(struct connection *c)
{
	if (c->head_len + c->head_here <= REQUEST_MAX)
		return 0;
	c->status = 431;
	return -1;
}

/* Counts what llhttp itself does not limit: the head with all that stands between what it hands over, since it skips blanks
 * before a value in silence. Of trailers, which come behind a body, only what it hands over. */
static int count(struct connection *c, const char *at, size_t len)
{
	if (c->in_head)
		c->head_here = (uint32_t)(at + len - c->head_from);
	else
		c->head_here += (uint32_t)len;
	return limit(c);
}

static int on_begin(llhttp_t *parser)
{
	struct connection *c = owner(parser);

	c->status = 0;
	c->in_head = true;
	c->head_len = c->head_here = 0;
	c->target_len = 0;
	c->body = BODY_UNWANTED;
	fields_begin(&c->fields);
	return 0;
}

static int on_url(llhttp_t *parser, const char *at, size_t len)
{
	struct connection *c = owner(parser);

	if (c->head_from == NULL)
		c->head_from = at;
	if (c->target_len + len > TARGET_LIMIT) {
		c->status = 414;
		return -1;
	}
	memcpy(c->target + c->target_len, at, len);
	c->target_len += (uint16_t)len;
	return count(c, at, len);
}

static int on_field(llhttp_t *parser, const char *at, size_t len)
{
	struct connection *c = owner(parser);

	fields_name(&c->fields, at, len);
	return count(c, at, len);
}

static int on_field_complete(llhttp_t *parser)
{
	fields_name_end(&owner(parser)->fields);
	return 0;
}

static int on_value(llhttp_t *parser, const char *at, size_t len)
{
	struct connection *c = owner(parser);

	fields_value(&c->fields, at, len);
	return count(c, at, len);
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
	if (c->parser.method == HTTP_HEAD || body == NULL || len == 0)
		return;
	if (w->out_len + len <= w->out_size) {
		memcpy(w->out + w->out_len, body, len);
		w->out_len += len;
	} else {
		w->tail = body;
		w->tail_len = len;
	}
}

static void put_fixed(struct connection *c, const struct fixed_response *a)
{
	put(c, &a->head, a->body, a->body_len);
}

void http_put_error(struct connection *c, int status)
{
	c->last = c->linger = true;
	put_fixed(c, response_error(status));
}

static void respond_file(struct connection *c, const char *path, size_t len)
{
	struct worker *w = c->worker;
	int status = 0;
	struct file *f = cache_get(&w->cache, path, len, &w->clock, &status);

	if (f == NULL) {
		put_fixed(c, response_error(status));
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

static void put_text(struct connection *c, const char *text, size_t len)
{
	put(c, texts_head(len), NULL, 0);
	/* Copied in any case, since the text is gone after this: the space behind HEAD_MAX is kept for it. */
	memcpy(c->worker->out + c->worker->out_len, text, len);
	c->worker->out_len += len;
}

static void respond_body(struct connection *c)
{
	char text[TEXT_MAX];
	int64_t total;

	if (c->body == BODY_HASH) {
		sha256_end(&c->hash, text);
		put_text(c, text, 64);
	} else if (sum_end(&c->sum, &total)) {
		put_text(c, text, (size_t)snprintf(text, sizeof text, "sum = %" PRId64, total));
	} else {
		put_fixed(c, response_error(400));
	}
	c->body = BODY_UNWANTED;
}

static void open_websocket(struct connection *c)
{
	struct worker *w = c->worker;

	if (c->parser.method != HTTP_GET || c->parser.http_minor == 0 || !c->upgrades || !fields_websocket(&c->fields)) {
		put_fixed(c, response_error(400));
		return;
	}
	c->ws = websocket_new();
	if (c->ws)
		w->out_len += handshake_write(w->out + w->out_len, c->fields.key);
	else
		put_fixed(c, response_error(503));
}

static bool is(const char *path, long len, const char *name)
{
	return (size_t)len == strlen(name) && memcmp(path, name, (size_t)len) == 0;
}

static void respond(struct connection *c)
{
	char path[PATH_LIMIT];

	if (c->body != BODY_UNWANTED) {
		respond_body(c);
		return;
	}
	if (c->parser.method != HTTP_GET && c->parser.method != HTTP_HEAD) {
		put_fixed(c, response_error(405));
		return;
	}
	long len = target_path(c->target, c->target_len, path);
	if (len < 0)
		put_fixed(c, response_error((int)-len));
	else if (is(path, len, "plaintext"))
		put_fixed(c, response_plaintext());
	else if (is(path, len, "ws"))
		open_websocket(c);
	else
		respond_file(c, path, (size_t)len);
}

/* A body is hashed or added up while it comes in. */
static void want_body(struct connection *c)
{
	char path[PATH_LIMIT];
	long len = target_path(c->target, c->target_len, path);

	if (is(path, len, "json-sum")) {
		c->body = BODY_SUM;
		sum_begin(&c->sum);
	} else if (is(path, len, "upload")) {
		c->body = BODY_HASH;
		sha256_begin(&c->hash);
	}
}

static int on_headers(llhttp_t *parser)
{
	struct connection *c = owner(parser);
	struct worker *w = c->worker;

	c->in_head = false;
	if (parser->http_major != 1)
		c->status = 505;
	else if (c->fields.hosts > 1 || (c->fields.hosts == 0 && parser->http_minor > 0))
		c->status = 400;
	if (c->status)
		return -1;
	c->upgrades = parser->upgrade;
	parser->upgrade = 0; /* llhttp reads the request to its end like any other */
	if (parser->method == HTTP_POST)
		want_body(c);
	if (!c->fields.expects)
		return 0;
	if (c->body != BODY_UNWANTED) {
		if (parser->http_minor > 0) {
			memcpy(w->out + w->out_len, GO_ON, sizeof GO_ON - 1);
			w->out_len += sizeof GO_ON - 1;
		}
		return 0;
	}
	/* The client waits for leave to send its body, or has sent it: nobody knows. Respond and end. */
	c->last = c->linger = true;
	respond(c);
	return -1;
}

static int on_body(llhttp_t *parser, const char *at, size_t len)
{
	struct connection *c = owner(parser);

	if (c->body == BODY_SUM)
		sum_feed(&c->sum, at, len);
	else if (c->body == BODY_HASH)
		sha256_feed(&c->hash, at, len);
	return 0;
}

static int on_complete(llhttp_t *parser)
{
	struct connection *c = owner(parser);
	struct worker *w = c->worker;

	respond(c);
	c->head_from = NULL; /* where the next head begins, its target will say */
	/* The rest waits while a file is under way, and while there is no room for another response. */
	if (c->transfer || c->ws || c->last || c->closed || w->tail || w->out_len + RESPONSE_MAX > w->out_size)
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
	s->on_body = on_body;
	s->on_message_complete = on_complete;
}

void http_begin(struct connection *c)
{
	llhttp_init(&c->parser, HTTP_REQUEST, &c->worker->settings);
	c->parser.data = c;
}

llhttp_errno_t http_parse(struct connection *c, const char *bytes, size_t len)
{
	c->head_from = bytes;
	llhttp_errno_t error = llhttp_execute(&c->parser, bytes, len);
	if (error != HPE_OK || !c->in_head)
		return error;
	c->head_len += c->head_from ? (uint32_t)(bytes + len - c->head_from) : 0;
	c->head_here = 0;
	return limit(c) < 0 ? HPE_USER : HPE_OK;
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
