/* SPDX-License-Identifier: MIT */
/* Response heads. A head is made once for a file or a status; Date and Connection are added when it is sent. */
#ifndef RESPONSE_H
#define RESPONSE_H

#include <stddef.h>
#include <stdint.h>

enum connection_line { LINE_NONE, LINE_KEEP_ALIVE, LINE_CLOSE };

enum { HEAD_PREFIX = 192, HEAD_MAX = 288 }; /* without and with Date, Connection and the empty line */

struct head {
	unsigned len;
	char text[HEAD_PREFIX];
};

/* A response that needs no file: /plaintext and the errors. */
struct fixed_response {
	int status;
	unsigned body_len;
	const char *body;
	struct head head;
};

void head_make(struct head *head, int status, const char *type, uint64_t length);
const char *content_type(const char *path);

/* Writes at most HEAD_MAX bytes and returns how many. */
size_t head_write(char *out, const struct head *head, const char *date_line, enum connection_line line);

void responses_init(void); /* once, before the workers start */
const struct fixed_response *response_plaintext(void);
const struct fixed_response *response_error(int status);

#endif
