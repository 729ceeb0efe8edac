/* SPDX-License-Identifier: MIT */
#include "texts.h"

static struct head heads[TEXT_MAX + 1];

void texts_init(void)
{
	for (size_t len = 0; len <= TEXT_MAX; len++)
		head_make(&heads[len], 200, "text/plain", len);
}

const struct head *texts_head(size_t len) { return &heads[len]; }
