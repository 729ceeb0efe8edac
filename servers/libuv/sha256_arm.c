/* SPDX-License-Identifier: MIT */
/* SHA-256 by the cryptography extension of ARMv8 (Apple M1, Raspberry Pi 5; a Raspberry Pi 4 does not have it). */
#include "sha256.h"

#if defined(__aarch64__)
#if !defined(__ARM_FEATURE_SHA2) && !defined(__clang__)
#pragma GCC target("+crypto")
#endif
#include <arm_neon.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

int sha256_has_arm(void)
{
#ifdef __linux__
	return (getauxval(AT_HWCAP) >> 6 & 1) != 0; /* HWCAP_SHA2 */
#else
	return 1; /* every aarch64 Mac */
#endif
}

#if !defined(__ARM_FEATURE_SHA2) && defined(__clang__)
__attribute__((target("crypto")))
#endif
void sha256_blocks_arm(uint32_t state[8], const unsigned char *p, size_t count)
{
	uint32x4_t abcd = vld1q_u32(state), efgh = vld1q_u32(state + 4);

	for (; count > 0; count--, p += 64) {
		uint32x4_t abcd_before = abcd, efgh_before = efgh, w[4];

		for (int i = 0; i < 4; i++)
			w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(p + 16 * i)));
		for (int i = 0; i < 16; i++) { /* four rounds each */
			uint32x4_t k = vaddq_u32(w[i % 4], vld1q_u32(sha256_round + 4 * i)), was = abcd;
			abcd = vsha256hq_u32(abcd, efgh, k);
			efgh = vsha256h2q_u32(efgh, was, k);
			w[i % 4] = vsha256su1q_u32(vsha256su0q_u32(w[i % 4], w[(i + 1) % 4]), w[(i + 2) % 4], w[(i + 3) % 4]);
		}
		abcd = vaddq_u32(abcd, abcd_before);
		efgh = vaddq_u32(efgh, efgh_before);
	}
	vst1q_u32(state, abcd);
	vst1q_u32(state + 4, efgh);
}
#else
int sha256_has_arm(void) { return 0; }
void sha256_blocks_arm(uint32_t state[8], const unsigned char *p, size_t count) { (void)state, (void)p, (void)count; }
#endif
