/* SPDX-License-Identifier: MIT */
/* Heads of short texts that are made for one request: one for each length, since making a head costs more than the text. */
#ifndef TEXTS_H
#define TEXTS_H

#include <stddef.h>

#include "response.h"

enum { TEXT_MAX = 64 };

void texts_init(void); /* once, before the workers start */
const struct head *texts_head(size_t len); /* 0 to TEXT_MAX */

#endif
