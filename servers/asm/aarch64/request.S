/* SPDX-License-Identifier: MIT */
/*
 * One HTTP/1 request head, parsed where it lies: nothing is copied and nothing is allocated.
 *
 * Assumed: the byte behind the data is 0 and SLACK bytes may be read. 0 is neither part of a token nor of a target nor of a
 * value, so every search ends there by itself, and "more bytes are needed" is a stop at the end of the data.
 *
 * Registers:
 *   x9   where we are              v16  ' ' in each byte        v19, v20  token characters, by low and by high half-byte
 *   x10  end of the data           v17  0x7f                    v21  0x0f
 *   x12  start of the head         v18  tab
 *   w13  headers that were seen    w14  flags (R_FLAGS)         x15  length of the body
 *   x16  return address
 */
#include "syscalls.inc"
#include "layout.inc"

/* request_start: loads v16-v21, which stay. Destroys x0. */
proc request_start
	movi	v16.16b, #' '
	movi	v17.16b, #0x7f
	movi	v18.16b, #'\t'
	movi	v21.16b, #0x0f
	address	x0, token_low
	ldp	q19, q20, [x0]
	ret
endproc request_start

	/* v1 has ff where the search stops: x9 goes to the first such byte, or on by 16 and back to `again`. Destroys x1. */
	.macro	stop_or again
	shrn	v1.8b, v1.8h, #4		/* 16 bytes become 16 half-bytes, which a general register holds */
	fmov	x1, d1
	cbnz	x1, 992f
	add	x9, x9, #16
	b	\again
992:	rbit	x1, x1
	clz	x1, x1
	add	x9, x9, x1, lsr #2
	.endm

	/* x9 goes to the first byte that may not stand in a token. A byte is in a token when the tables of its halves share a bit. */
	.macro	skip_token
991:	ldr	q0, [x9]
	and	v1.16b, v0.16b, v21.16b
	ushr	v2.16b, v0.16b, #4
	tbl	v1.16b, {v19.16b}, v1.16b
	tbl	v2.16b, {v20.16b}, v2.16b
	and	v1.16b, v1.16b, v2.16b
	cmeq	v1.16b, v1.16b, #0
	stop_or	991b
	.endm

	/* x9 goes to the first byte that may not stand in a target: blanks, controls, DEL. */
	.macro	skip_target
991:	ldr	q0, [x9]
	cmhs	v1.16b, v16.16b, v0.16b
	cmeq	v2.16b, v0.16b, v17.16b
	orr	v1.16b, v1.16b, v2.16b
	stop_or	991b
	.endm

	/* x9 goes to the first control character other than a tab: the end of a header's value. */
	.macro	skip_value
991:	ldr	q0, [x9]
	cmhi	v1.16b, v16.16b, v0.16b
	cmeq	v2.16b, v0.16b, v18.16b
	bic	v1.16b, v1.16b, v2.16b
	stop_or	991b
	.endm

/*
 * request_parse: x0 data, x1 bytes, x28 worker -> x0 length of the head, 0 when more bytes are needed, or a negated status;
 * the fields R_… of the worker. Destroys x1-x17, v0-v2.
 */
proc request_parse
	mov	x16, x30
	mov	x12, x0
	mov	x9, x0
	add	x10, x0, x1
	mov	w13, #0
	mov	x15, #0
	mov	w2, #0x0a0d
1:	ldrh	w1, [x9]			/* a stray empty line before a request is allowed */
	cmp	w1, w2
	b.ne	2f
	add	x9, x9, #2
	b	1b

2:	ldr	w1, [x9]
	ldr	w2, =0x20544547			/* "GET " */
	mov	w3, #METHOD_GET
	add	x4, x9, #4
	cmp	w1, w2
	b.eq	4f
	ldr	w2, =0x44414548			/* "HEAD" */
	cmp	w1, w2
	b.ne	3f
	ldrb	w1, [x9, #4]
	mov	w3, #METHOD_HEAD
	add	x4, x9, #5
	cmp	w1, #' '
	b.eq	4f
3:	mov	w3, #METHOD_OTHER
	mov	x5, x9
	skip_token
	ldrb	w1, [x9]
	cmp	w1, #' '
	b.ne	perhaps_blank_line
	cmp	x9, x5
	b.eq	bad
	add	x4, x9, #1

4:	str	w3, [x28, #R_METHOD]
	mov	x9, x4
	skip_target
	ldrb	w1, [x9]
	cmp	w1, #' '
	b.ne	more_or_bad
	subs	x1, x9, x4
	b.eq	bad
	stp	x4, x1, [x28, #R_TARGET]

	sub	x1, x10, x9
	cmp	x1, #11				/* " HTTP/1.1" and the end of the line */
	b.lo	short_line
	ldr	x1, [x9]
	ldr	x2, =0x2e312f5054544820		/* " HTTP/1." */
	cmp	x1, x2
	b.ne	other_version
	ldrb	w1, [x9, #8]
	sub	w1, w1, #'0'
	cmp	w1, #9
	b.hi	bad
	cmp	w1, #0
	cset	w14, eq				/* R_HTTP10 is bit 0 */
	ldurh	w1, [x9, #9]
	mov	w2, #0x0a0d
	cmp	w1, w2
	b.ne	bad
	add	x9, x9, #11

/* x9 at the first byte of a line */
header:	ldrb	w1, [x9]
	cmp	w1, #'\r'
	b.eq	end_of_head
	mov	x3, x9				/* x3 the name, */
	skip_token
	subs	x4, x9, x3			/* x4 its length; none: also a folded line */
	ldrb	w1, [x9]
	mov	w2, #':'
	ccmp	w1, w2, #0, ne
	b.ne	more_or_bad
	add	x9, x9, #1
	mov	x5, x9				/* x5 the value, */
	skip_value
	mov	x6, x9				/* x6 its end */
	ldrb	w1, [x9]
	cmp	w1, #'\r'
	b.ne	more_or_bad
	ldrb	w1, [x9, #1]!
	cmp	w1, #'\n'
	b.ne	more_or_bad
	add	x9, x9, #1

	bl	header_known
	cbz	x0, header
	ret	x16

end_of_head:
	ldrb	w1, [x9, #1]!
	cmp	w1, #'\n'
	b.ne	more_or_bad
	add	x9, x9, #1
	sub	x0, x9, x12
	cmp	x0, #REQUEST_MAX
	b.hi	too_long
	tbnz	w14, #R_HTTP10, 1f
	tbz	w13, #SEEN_HOST, bad
	tbz	w13, #SEEN_ENCODING, 2f
	tbnz	w13, #SEEN_LENGTH, bad
	b	2f
1:	tbnz	w13, #SEEN_ENCODING, bad
	tbnz	w14, #R_SAID_KEEP, 2f
	orr	w14, w14, #1 << R_CLOSE
2:	str	x15, [x28, #R_BODY_LEN]
	str	w14, [x28, #R_FLAGS]
	ret	x16

perhaps_blank_line:			/* half of an empty line before the request */
	cmp	w1, #'\r'
	b.ne	more_or_bad
	cmp	x9, x5
	b.ne	bad
	add	x9, x9, #1
more_or_bad:				/* a stop at x9, where it should not be: unless the data ends there */
	cmp	x9, x10
	b.ne	bad
more:	mov	x0, #0
	ret	x16

other_version:				/* " HTTP/" DIGIT "." DIGIT is a version, and not ours */
	ldr	x2, =0x00002f5054544820
	eor	x1, x1, x2
	tst	x1, #0x0000ffffffffffff
	b.ne	bad
	lsr	x1, x1, #48			/* low byte the digit, high byte the dot */
	lsr	w2, w1, #8
	cmp	w2, #'.'
	b.ne	bad
	and	w1, w1, #0xff
	sub	w1, w1, #'0'
	cmp	w1, #9
	b.hi	bad
	mov	x0, #-505
	ret	x16

short_line:				/* too short for a version: more is to come, unless the line ends already */
	ldrb	w1, [x9], #1
	cmp	w1, #'\n'
	b.eq	bad
	cmp	x9, x10
	b.lo	short_line
	b	more

bad:	mov	x0, #-400
	ret	x16
too_long:
	mov	x0, #-431
	ret	x16
endproc request_parse

	.section .rodata
	.balign	16
	/*
	 * For the low half of a byte, the high halves 2 to 7 (bits 0 to 5) with which it is a token character, and for the high
	 * half its bit: "!#$%&'*+-.^_`|~", digits and letters, nothing else.
	 */
token_low:
	.byte	0x3a, 0x3f, 0x3e, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3e, 0x3e, 0x3d, 0x15, 0x34, 0x15, 0x3d, 0x1c
	.byte	0, 0, 0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0, 0, 0, 0, 0, 0, 0, 0
