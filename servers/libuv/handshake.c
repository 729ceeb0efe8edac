/* SPDX-License-Identifier: MIT */
#include "handshake.h"

#include <stdint.h>
#include <string.h>

static const char secret[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; /* the same for everybody: RFC 6455, section 1.3 */

enum { INPUT = WS_KEY + sizeof secret - 1, BLOCKS = 2 };
_Static_assert(INPUT == 60, "key and secret fill one block of SHA-1 with their end in a second");

static uint32_t left(uint32_t x, int by) { return x << by | x >> (32 - by); }

static void block(uint32_t state[5], const unsigned char *p)
{
	static const uint32_t add[4] = { 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6 };
	uint32_t w[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];

	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
	for (int i = 16; i < 80; i++)
		w[i] = left(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
	for (int i = 0; i < 80; i++) {
		uint32_t f = i < 20 ? (b & c) | (~b & d) : i >= 40 && i < 60 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
		uint32_t t = left(a, 5) + f + e + add[i / 20] + w[i];
		e = d;
		d = c;
		c = left(b, 30);
		b = a;
		a = t;
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
	state[4] += e;
}

static void sha1(unsigned char out[20], const unsigned char input[INPUT])
{
	uint32_t state[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };
	unsigned char padded[64 * BLOCKS] = { 0 };

	memcpy(padded, input, INPUT);
	padded[INPUT] = 0x80;
	padded[64 * BLOCKS - 2] = INPUT * 8 >> 8;
	padded[64 * BLOCKS - 1] = INPUT * 8 & 255;
	for (int i = 0; i < BLOCKS; i++)
		block(state, padded + 64 * i);
	for (int i = 0; i < 20; i++)
		out[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}

size_t handshake_write(char *out, const char key[WS_KEY])
{
	static const char head[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ";
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned char input[INPUT], hash[21] = { 0 };
	char *p = out;

	memcpy(input, key, WS_KEY);
	memcpy(input + WS_KEY, secret, sizeof secret - 1);
	sha1(hash, input);
	memcpy(p, head, sizeof head - 1);
	p += sizeof head - 1;
	for (int i = 0; i < 21; i += 3) { /* 20 bytes: the last group is one byte short */
		uint32_t group = (uint32_t)hash[i] << 16 | (uint32_t)hash[i + 1] << 8 | hash[i + 2];
		for (int shift = 18; shift >= 0; shift -= 6)
			*p++ = digits[group >> shift & 63];
	}
	p[-1] = '=';
	memcpy(p, "\r\n\r\n", 4);
	return (size_t)(p + 4 - out);
}
