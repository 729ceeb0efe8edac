/* SPDX-License-Identifier: MIT */
/* llhttp's callbacks: they collect a request in its connection and put the response into the worker's out buffer. */
#ifndef HTTP_H
#define HTTP_H

#include <llhttp.h>

struct connection;

void http_settings(llhttp_settings_t *settings);
void http_begin(struct connection *connection);
llhttp_errno_t http_parse(struct connection *connection, const char *bytes, size_t len); /* llhttp_execute, and the head's limit */

/* After llhttp gave up: the status for the client, made of llhttp's error and what was noted on the way. */
int http_status(const struct connection *connection, llhttp_errno_t error, char first_byte);
void http_put_error(struct connection *connection, int status);

#endif
