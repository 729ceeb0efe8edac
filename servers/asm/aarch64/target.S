/* SPDX-License-Identifier: MIT */
/*
 * From a request target to a path below the root: decoded once, without `.` and `..`, without a leading slash; and its hash.
 *
 * Registers: x9 where we are, x10 end of the target, x11 start of the path, x12 where it is written, x13 start of the segment,
 * w14 the hash (FNV-1a), w15 its multiplier.
 */
#include "syscalls.inc"
#include "layout.inc"

	.comm	path, PATH_LIMIT + SLACK, 16
	.hidden	path

	/* \to = value of the hexadecimal digit \from, more than 15 when it is none. Destroys w3. */
	.macro	hexadecimal to, from
	sub	\to, \from, #'0'
	cmp	\to, #9
	b.ls	991f
	orr	w3, \from, #0x20
	sub	\to, w3, #'a'
	cmp	\to, #5
	add	\to, \to, #10
	b.hi	bad
991:
	.endm

	/* The segments are looked at after decoding, so that %2e%2e and ..%2f are what they mean. Destroys x1, w2. */
	.macro	refuse_dots
	sub	x1, x12, x13
	cmp	x1, #2
	b.hi	992f
	cbz	x1, 992f
	ldrb	w2, [x13]
	cmp	w2, #'.'
	b.ne	992f
	cmp	x1, #1
	b.eq	bad
	ldrb	w2, [x13, #1]
	cmp	w2, #'.'
	b.eq	bad
992:
	.endm

/* target_path: x28 worker (R_TARGET) -> x0 length of `path`, or a negated status; w1 hash. Destroys x1-x15. */
proc target_path
	ldp	x9, x10, [x28, #R_TARGET]
	add	x10, x9, x10
	address	x11, path
	mov	x12, x11
	mov	x13, x11
	ldr	w14, =2166136261
	ldr	w15, =16777619
	ldrb	w0, [x9]
	cmp	w0, #'/'
	b.ne	absolute

next:	cmp	x9, x10
	b.hs	end
	ldrb	w0, [x9], #1
	cmp	w0, #'/'
	b.eq	slash
	cmp	w0, #'%'
	b.eq	percent
	cmp	w0, #'?'
	mov	w1, #'#'
	ccmp	w0, w1, #4, ne
	b.eq	end
put:	sub	x1, x12, x11
	cmp	x1, #PATH_LIMIT - 1
	b.hs	too_long
	strb	w0, [x12], #1
	eor	w14, w14, w0
	mul	w14, w14, w15
	b	next

percent:
	sub	x1, x10, x9
	cmp	x1, #2
	b.lo	bad
	ldrb	w1, [x9], #1
	ldrb	w2, [x9], #1
	hexadecimal w4, w1
	hexadecimal w0, w2
	orr	w0, w0, w4, lsl #4
	cbz	w0, bad
	cmp	w0, #'/'
	b.ne	put

slash:	refuse_dots
	cmp	x12, x13
	b.eq	next			/* the leading slash and doubled ones: the path must never be absolute */
	mov	w0, #'/'
	add	x13, x12, #1
	b	put

end:	refuse_dots
	strb	wzr, [x12]
	sub	x0, x12, x11
	eor	w1, w14, w14, lsr #15
	ret

absolute:				/* http://anything/path: the host is not looked at */
	sub	x1, x10, x9
	cmp	x1, #7
	b.ls	bad
	ldr	w1, [x9]
	orr	w1, w1, #0x20202020
	ldr	w2, =0x70747468		/* "http" */
	cmp	w1, w2
	b.ne	bad
	ldr	w1, [x9, #3]
	lsr	w1, w1, #8
	ldr	w2, =0x002f2f3a		/* "://" */
	cmp	w1, w2
	b.ne	bad
	add	x9, x9, #7
1:	ldrb	w0, [x9]
	cmp	w0, #'/'
	b.eq	next
	add	x9, x9, #1
	cmp	x9, x10
	b.lo	1b
	mov	x0, #-404
	ret

bad:	mov	x0, #-400
	ret
too_long:
	mov	x0, #-414
	ret
endproc target_path
