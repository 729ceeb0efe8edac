/* SPDX-License-Identifier: MIT */
#include "sha256.h"

#include <string.h>

const uint32_t sha256_round[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turned(uint32_t x, int by) { return x >> by | x << (32 - by); }

static void blocks_plain(uint32_t state[8], const unsigned char *p, size_t count)
{
	for (; count > 0; count--, p += 64) {
		uint32_t w[64], s[8];

		for (int i = 0; i < 16; i++)
			w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
		for (int i = 16; i < 64; i++)
			w[i] = w[i - 16] + w[i - 7] + (turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3) +
			       (turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10);
		memcpy(s, state, sizeof s);
		for (int i = 0; i < 64; i++) {
			uint32_t a = s[0], e = s[4];
			uint32_t t = s[7] + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & s[5]) ^ (~e & s[6])) +
				     sha256_round[i] + w[i];
			uint32_t u = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
			memmove(s + 1, s, 7 * sizeof s[0]);
			s[4] += t;
			s[0] = t + u;
		}
		for (int i = 0; i < 8; i++)
			state[i] += s[i];
	}
}

static sha256_blocks *blocks = blocks_plain;

void sha256_init(void)
{
	if (sha256_has_x86())
		blocks = sha256_blocks_x86;
	else if (sha256_has_arm())
		blocks = sha256_blocks_arm;
}

const char *sha256_way(void) { return blocks == blocks_plain ? "plain C" : "the processor's instructions"; }

void sha256_begin(struct sha256 *h)
{
	static const uint32_t start[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
					   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	memcpy(h->state, start, sizeof start);
	h->total = 0;
}

void sha256_feed(struct sha256 *h, const void *bytes, size_t len)
{
	const unsigned char *p = bytes;
	size_t have = h->total % 64;

	h->total += len;
	if (have) {
		size_t part = len < 64 - have ? len : 64 - have;
		memcpy(h->block + have, p, part);
		p += part;
		len -= part;
		if (have + part < 64)
			return;
		blocks(h->state, h->block, 1);
	}
	blocks(h->state, p, len / 64);
	memcpy(h->block, p + len / 64 * 64, len % 64);
}

void sha256_end(struct sha256 *h, char hex[64])
{
	uint64_t bits = h->total * 8;
	size_t have = h->total % 64;
	unsigned char end[128] = { 0x80 };
	size_t pad = have < 56 ? 56 - have : 120 - have;

	for (int i = 0; i < 8; i++)
		end[pad + (size_t)i] = (unsigned char)(bits >> (56 - 8 * i));
	sha256_feed(h, end, pad + 8);
	for (int i = 0; i < 64; i++)
		hex[i] = "0123456789abcdef"[h->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
}
