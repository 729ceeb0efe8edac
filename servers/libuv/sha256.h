/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4), by the processor's own instructions where it has them. */
#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>
#include <stdint.h>

struct sha256 {
	uint32_t state[8];
	uint64_t total;       /* bytes so far */
	unsigned char block[64];
};

void sha256_init(void);   /* once, before the workers start: looks what the processor can */
const char *sha256_way(void);
void sha256_begin(struct sha256 *hash);
void sha256_feed(struct sha256 *hash, const void *bytes, size_t len);
void sha256_end(struct sha256 *hash, char hex[64]); /* lower case, not terminated */

/* Each takes whole blocks of 64 bytes; those for other processors do nothing and report that they are not there. */
extern const uint32_t sha256_round[64];
typedef void sha256_blocks(uint32_t state[8], const unsigned char *blocks, size_t count);
sha256_blocks sha256_blocks_x86, sha256_blocks_arm;
int sha256_has_x86(void), sha256_has_arm(void);

#endif
