/* SPDX-License-Identifier: MIT */
/*
 * The headers with a meaning here: Host, Expect, Connection, Content-Length, Transfer-Encoding. All others are passed over.
 *
 * Registers, as in request.S: x3 the name, x4 its length, x5 the value, x6 its end; w13 headers that were seen, w14 flags (R_FLAGS),
 * x15 length of the body. Behind a value stands its CR.
 */
#include "syscalls.inc"
#include "layout.inc"

/* header_known: x3-x6 a header -> w13, w14, x15 brought up to date; x0 0, or -400 where that cannot be. Destroys x1-x8. */
proc header_known
	/* Only these lengths are looked at. |0x20 makes lower case, and no token has a byte for which it would make a false match. */
	cmp	x4, #4
	b.eq	is_it_host
	cmp	x4, #6
	b.eq	is_it_expect
	cmp	x4, #10
	b.eq	is_it_connection
	cmp	x4, #14
	b.eq	is_it_content_length
	cmp	x4, #17
	b.ne	fine

	ldp	x1, x2, [x3]
	ldrb	w7, [x3, #16]
	orr	x1, x1, #0x2020202020202020
	orr	x2, x2, #0x2020202020202020
	orr	w7, w7, #0x20
	ldr	x8, =0x726566736e617274		/* "transfer" */
	cmp	x1, x8
	ldr	x8, =0x6e69646f636e652d		/* "-encodin" */
	ccmp	x2, x8, #0, eq
	mov	w8, #'g'
	ccmp	w7, w8, #0, eq
	b.ne	fine
	orr	w13, w13, #1 << SEEN_ENCODING
	orr	w14, w14, #1 << R_BODY_UNKNOWN
	b	fine

is_it_host:
	ldr	w1, [x3]
	orr	w1, w1, #0x20202020
	ldr	w2, =0x74736f68			/* "host" */
	cmp	w1, w2
	b.ne	fine
	tbnz	w13, #SEEN_HOST, bad
	orr	w13, w13, #1 << SEEN_HOST
	b	fine

is_it_expect:
	ldr	w1, [x3]
	ldrh	w2, [x3, #4]
	orr	w1, w1, #0x20202020
	mov	w7, #0x2020
	orr	w2, w2, w7
	ldr	w8, =0x65707865			/* "expe" */
	cmp	w1, w8
	mov	w8, #0x7463			/* "ct" */
	ccmp	w2, w8, #0, eq
	b.ne	fine
	orr	w14, w14, #1 << R_BODY_UNKNOWN	/* the client may or may not send the body now */
	b	fine

is_it_connection:
	ldr	x1, [x3]
	ldrh	w2, [x3, #8]
	orr	x1, x1, #0x2020202020202020
	mov	w7, #0x2020
	orr	w2, w2, w7
	ldr	x8, =0x697463656e6e6f63		/* "connecti" */
	cmp	x1, x8
	mov	w8, #0x6e6f			/* "on" */
	ccmp	w2, w8, #0, eq
	b.ne	fine
	/* A list: x5 goes from comma to comma, x7 is the end of a member without the blanks behind it. */
1:	cmp	x5, x6
	b.hs	fine
	ldrb	w1, [x5]
	cmp	w1, #' '
	mov	w2, #'\t'
	ccmp	w1, w2, #4, ne
	mov	w2, #','
	ccmp	w1, w2, #4, ne
	b.ne	2f
	add	x5, x5, #1
	b	1b
2:	mov	x3, x5
3:	cmp	w1, #' '
	mov	w2, #'\t'
	ccmp	w1, w2, #4, ne
	add	x5, x5, #1
	csel	x7, x7, x5, eq			/* behind the last byte that is no blank */
	cmp	x5, x6
	b.hs	4f
	ldrb	w1, [x5]
	cmp	w1, #','
	b.ne	3b
4:	sub	x7, x7, x3
	cmp	x7, #5
	b.eq	5f
	cmp	x7, #10
	b.ne	1b
	ldr	x1, [x3]
	ldrh	w2, [x3, #8]
	orr	x1, x1, #0x2020202020202020
	mov	w7, #0x2020
	orr	w2, w2, w7
	ldr	x8, =0x696c612d7065656b		/* "keep-ali" */
	cmp	x1, x8
	mov	w8, #0x6576			/* "ve" */
	ccmp	w2, w8, #0, eq
	b.ne	1b
	orr	w14, w14, #1 << R_SAID_KEEP
	b	1b
5:	ldr	w1, [x3]
	ldrb	w2, [x3, #4]
	orr	w1, w1, #0x20202020
	orr	w2, w2, #0x20
	ldr	w8, =0x736f6c63			/* "clos" */
	cmp	w1, w8
	mov	w8, #'e'
	ccmp	w2, w8, #0, eq
	b.ne	1b
	orr	w14, w14, #1 << R_CLOSE
	b	1b

is_it_content_length:
	ldr	x1, [x3]
	ldur	x2, [x3, #6]
	orr	x1, x1, #0x2020202020202020
	orr	x2, x2, #0x2020202020202020
	ldr	x8, =0x2d746e65746e6f63		/* "content-" */
	cmp	x1, x8
	ldr	x8, =0x6874676e656c2d74		/* "t-length", which overlaps */
	ccmp	x2, x8, #0, eq
	b.ne	fine
	mov	w2, #'\t'
1:	ldrb	w1, [x5]			/* ends at the value's CR at the latest */
	cmp	w1, #' '
	ccmp	w1, w2, #4, ne
	b.ne	2f
	add	x5, x5, #1
	b	1b
2:	cmp	x6, x5
	b.ls	bad
	ldrb	w1, [x6, #-1]
	cmp	w1, #' '
	ccmp	w1, w2, #4, ne
	b.ne	3f
	sub	x6, x6, #1
	b	2b
3:	sub	x1, x6, x5
	cmp	x1, #18				/* 18 digits always fit 64 bits */
	b.hi	bad
	mov	x7, #0
	mov	x2, #10
4:	ldrb	w1, [x5], #1
	sub	w1, w1, #'0'
	cmp	w1, #9
	b.hi	bad
	madd	x7, x7, x2, x1
	cmp	x5, x6
	b.lo	4b
	tbz	w13, #SEEN_LENGTH, 5f
	cmp	x7, x15				/* whoever believed the other one would see another request here */
	b.ne	bad
5:	orr	w13, w13, #1 << SEEN_LENGTH
	mov	x15, x7
	b	fine

fine:	mov	x0, #0
	ret
bad:	mov	x0, #-400
	ret
endproc header_known
