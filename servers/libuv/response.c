/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "response.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"

#define TEXT(string) .body = string, .body_len = sizeof(string) - 1

static struct fixed_response plaintext = { .status = 200, TEXT("Hello, World!") };

/* The last one stands for every status that is not in the list. */
static struct fixed_response errors[] = {
	{ .status = 400, TEXT("Bad Request\n") },
	{ .status = 403, TEXT("Forbidden\n") },
	{ .status = 404, TEXT("Not Found\n") },
	{ .status = 405, TEXT("Method Not Allowed\n") },
	{ .status = 414, TEXT("URI Too Long\n") },
	{ .status = 431, TEXT("Request Header Fields Too Large\n") },
	{ .status = 501, TEXT("Not Implemented\n") },
	{ .status = 503, TEXT("Service Unavailable\n") },
	{ .status = 505, TEXT("HTTP Version Not Supported\n") },
	{ .status = 500, TEXT("Internal Server Error\n") },
};
enum { ERRORS = sizeof errors / sizeof errors[0] };

static const struct { const char *suffix, *type; } types[] = {
	{ ".js", "text/javascript" }, { ".html", "text/html" }, { ".css", "text/css" },
	{ ".json", "application/json" }, { ".txt", "text/plain" }, { ".svg", "image/svg+xml" },
};

const char *content_type(const char *path)
{
	const char *dot = strrchr(path, '.');
	for (size_t i = 0; dot && i < sizeof types / sizeof types[0]; i++)
		if (strcmp(dot, types[i].suffix) == 0)
			return types[i].type;
	return "application/octet-stream";
}

static const char *reason(int status)
{
	return status == 200 ? "OK" : response_error(status)->body;
}

void head_make(struct head *head, int status, const char *type, uint64_t length)
{
	const char *text = reason(status);
	int n = snprintf(head->text, sizeof head->text,
			 "HTTP/1.1 %d %.*s\r\nServer: " SERVER_NAME "\r\n%sContent-Type: %s\r\nContent-Length: %llu\r\n",
			 status, (int)strcspn(text, "\n"), text, status == 405 ? "Allow: GET, HEAD\r\n" : "",
			 type, (unsigned long long)length);
	head->len = (unsigned)n;
}

size_t head_write(char *out, const struct head *head, const char *date_line, enum connection_line line)
{
	char *p = out;

	memcpy(p, head->text, head->len);
	p += head->len;
	memcpy(p, date_line, DATE_LINE);
	p += DATE_LINE;
	switch (line) {
	case LINE_KEEP_ALIVE:
		memcpy(p, "Connection: keep-alive\r\n\r\n", 26);
		return (size_t)(p + 26 - out);
	case LINE_CLOSE:
		memcpy(p, "Connection: close\r\n\r\n", 21);
		return (size_t)(p + 21 - out);
	default:
		memcpy(p, "\r\n", 2);
		return (size_t)(p + 2 - out);
	}
}

void responses_init(void)
{
	head_make(&plaintext.head, 200, "text/plain", plaintext.body_len);
	for (int i = 0; i < ERRORS; i++)
		head_make(&errors[i].head, errors[i].status, "text/plain", errors[i].body_len);
}

const struct fixed_response *response_plaintext(void) { return &plaintext; }

const struct fixed_response *response_error(int status)
{
	int i = 0;
	while (i < ERRORS - 1 && errors[i].status != status)
		i++;
	return &errors[i];
}
