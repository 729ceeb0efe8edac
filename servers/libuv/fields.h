/* SPDX-License-Identifier: MIT */
/* What the server wants to know of a request's header fields; they may arrive in pieces. */
#ifndef FIELDS_H
#define FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "handshake.h"

enum field { FIELD_OTHER, FIELD_HOST, FIELD_EXPECT, FIELD_UPGRADE, FIELD_KEY, FIELD_VERSION };

struct fields {
	char name[24];           /* being parsed, in lower case; longer ones do not matter */
	uint8_t name_len;
	enum field field;
	uint8_t hosts;           /* up to 2 */
	bool expects;
	uint8_t upgrade_len, key_len, version_len; /* of the values; one more than fits stands for "too long" */
	char upgrade[9], version[2], key[WS_KEY];
};

void fields_begin(struct fields *fields);
void fields_name(struct fields *fields, const char *bytes, size_t len);
void fields_name_end(struct fields *fields);
void fields_value(struct fields *fields, const char *bytes, size_t len);

/* Whether they ask for a WebSocket as RFC 6455 wants it (`Connection: upgrade` is llhttp's to see). */
bool fields_websocket(const struct fields *fields);

#endif
