/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "fields.h"

#include <string.h>
#include <strings.h>

#define KNOWN(name, field) { name, sizeof name - 1, field }
static const struct { const char *name; uint8_t len; enum field field; } known[] = {
	KNOWN("host", FIELD_HOST), KNOWN("expect", FIELD_EXPECT), KNOWN("upgrade", FIELD_UPGRADE),
	KNOWN("sec-websocket-key", FIELD_KEY), KNOWN("sec-websocket-version", FIELD_VERSION),
};

void fields_begin(struct fields *f)
{
	f->name_len = 0;
	f->field = FIELD_OTHER;
	f->hosts = 0;
	f->expects = false;
	f->upgrade_len = f->key_len = f->version_len = 0;
}

void fields_name(struct fields *f, const char *at, size_t len)
{
	for (size_t i = 0; i < len && f->name_len < sizeof f->name; i++)
		f->name[f->name_len++] = (char)(at[i] | 0x20);
}

void fields_name_end(struct fields *f)
{
	f->field = FIELD_OTHER;
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (f->name_len == known[i].len && memcmp(f->name, known[i].name, f->name_len) == 0)
			f->field = known[i].field;
	f->name_len = 0;
	if (f->field == FIELD_HOST && f->hosts < 2)
		f->hosts++;
	else if (f->field == FIELD_EXPECT)
		f->expects = true;
}

static void keep(char *value, uint8_t *have, size_t size, const char *at, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (*have < size)
			value[*have] = at[i];
		if (*have <= size)
			++*have;
	}
}

void fields_value(struct fields *f, const char *at, size_t len)
{
	switch (f->field) {
	case FIELD_UPGRADE:
		keep(f->upgrade, &f->upgrade_len, sizeof f->upgrade, at, len);
		break;
	case FIELD_KEY:
		keep(f->key, &f->key_len, sizeof f->key, at, len);
		break;
	case FIELD_VERSION:
		keep(f->version, &f->version_len, sizeof f->version, at, len);
		break;
	default:
		break;
	}
}

/* 16 bytes in base64: 22 digits, of which the last has four bits that are unused, and two signs of equality. */
static bool is_key(const char *key)
{
	for (int i = 0; i < WS_KEY - 2; i++) {
		char c = key[i];
		if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/'))
			return false;
	}
	return key[WS_KEY - 2] == '=' && key[WS_KEY - 1] == '=';
}

bool fields_websocket(const struct fields *f)
{
	return f->upgrade_len == 9 && strncasecmp(f->upgrade, "websocket", 9) == 0 && f->version_len == 2 &&
	       memcmp(f->version, "13", 2) == 0 && f->key_len == WS_KEY && is_key(f->key);
}
