/* SPDX-License-Identifier: MIT */
/*
 * An address in figures, and the listening sockets.
 *
 * Registers of the parsers: x0 the text, x1 where the bytes go; x9-x16 as said below.
 */
#include "syscalls.inc"
#include "layout.inc"

	.local	endpoint			/* sockaddr_in or sockaddr_in6 */
	.comm	endpoint, 32, 16
	.local	endpoint_length
	.comm	endpoint_length, 4, 4

/* endpoint_parse: x0 address, w1 port -> x0 0, or -1 where that is no numeric IPv4 or IPv6 address. Destroys x1-x16. */
proc endpoint_parse
	push	x19, x30
	mov	x19, x0
	address	x2, endpoint
	stp	xzr, xzr, [x2]
	stp	xzr, xzr, [x2, #16]
	rev16	w1, w1
	strh	w1, [x2, #2]
	add	x1, x2, #4
	bl	parse_v4
	mov	w3, #AF_INET
	mov	w4, #16
	cbz	x0, 1f
	mov	x0, x19
	address	x2, endpoint
	str	wzr, [x2, #4]			/* IPv6's flow label */
	add	x1, x2, #8
	bl	parse_v6
	mov	w3, #AF_INET6
	mov	w4, #28
1:	address	x2, endpoint
	strh	w3, [x2]
	address	x2, endpoint_length
	str	w4, [x2]
	pop	x19, x30
	ret
endproc endpoint_parse

/* parse_v4: x0 text up to its zero, x1 to -> x0 0 or -1. x9 byte, w10 number, w11 its digits, w12 numbers still to come. */
parse_v4:
	mov	w12, #4
1:	mov	w10, #0
	mov	w11, #0
2:	ldrb	w9, [x0], #1
	sub	w13, w9, #'0'
	cmp	w13, #9
	b.hi	3f
	cmp	w10, #0				/* no number begins with a superfluous 0 */
	ccmp	w11, #0, #4, eq
	b.ne	no
	mov	w14, #10
	madd	w10, w10, w14, w13
	cmp	w10, #255
	b.hi	no
	add	w11, w11, #1
	b	2b
3:	cbz	w11, no
	strb	w10, [x1], #1
	subs	w12, w12, #1
	b.eq	4f
	cmp	w9, #'.'
	b.eq	1b
	b	no
4:	cbnz	w9, no
	mov	x0, #0
	ret

no:	mov	x0, #-1
	ret

/*
 * parse_v6: x0 text up to its zero, x1 to (16 zeroed bytes) -> x0 0 or -1. x9 byte, w10 group, w11 its digits,
 * x12 behind the last byte, x13 where "::" stood or 0, x14 start of the group's text.
 */
parse_v6:
	add	x12, x1, #16
	mov	x13, #0
	ldrb	w9, [x0]
	cmp	w9, #':'
	b.ne	1f
	ldrb	w9, [x0, #1]!			/* a colon in front is half of "::" */
	cmp	w9, #':'
	b.ne	no
1:	mov	x14, x0
	mov	w10, #0
	mov	w11, #0
2:	ldrb	w9, [x0], #1
	sub	w15, w9, #'0'
	cmp	w15, #9
	b.ls	3f
	orr	w15, w9, #0x20
	sub	w15, w15, #'a'
	cmp	w15, #5
	b.hi	4f
	add	w15, w15, #10
3:	orr	w10, w15, w10, lsl #4
	add	w11, w11, #1
	cmp	w11, #4
	b.hi	no
	b	2b

4:	cmp	w9, #':'
	b.ne	6f
	cbnz	w11, 5f
	cbnz	x13, no
	mov	x13, x1
	b	1b
5:	ldrb	w15, [x0]
	cbz	w15, no				/* a single colon at the end */
	sub	x15, x12, x1
	cmp	x15, #2
	b.lo	no
	rev16	w10, w10
	strh	w10, [x1], #2
	b	1b

6:	cmp	w9, #'.'
	b.ne	7f
	sub	x15, x12, x1
	cmp	x15, #4
	b.lo	no
	push	x13, x30
	push	x12, x30
	mov	x0, x14
	bl	parse_v4
	pop	x12, x30
	pop	x13, x30
	cbnz	x0, no
	b	8f

7:	cbnz	w9, no
	cbz	w11, 8f
	sub	x15, x12, x1
	cmp	x15, #2
	b.lo	no
	rev16	w10, w10
	strh	w10, [x1], #2
8:	cbz	x13, 10f
	cmp	x1, x12
	b.eq	no
9:	cmp	x1, x13				/* what stood behind "::" goes to the end, zeros take its place */
	b.eq	11f
	ldrb	w15, [x1, #-1]!
	strb	wzr, [x1]
	strb	w15, [x12, #-1]!
	b	9b
10:	cmp	x1, x12
	b.ne	no
11:	mov	x0, #0
	ret

/* endpoint_port: -> x0 the port that the sockets are bound to. Destroys x1. */
proc endpoint_port
	address	x1, endpoint
	ldrh	w0, [x1, #2]
	rev16	w0, w0
	ret
endproc endpoint_port

/* x0 descriptor, x1 level, x2 option: is switched on, or set to w3 -> x0 as setsockopt. Destroys x3, x4, x8. */
switch_on:
	mov	w3, #1
set_to:
	str	x3, [sp, #-16]!
	mov	x3, sp
	mov	x4, #4
	sys	setsockopt
	add	sp, sp, #16
	ret

/* w1: 1 with SO_REUSEPORT, 0 without -> x0 a bound socket, or a negated errno. x19 socket, w20 w1. Destroys x0-x8. */
bound_socket:
	push	x29, x30
	push	x19, x20
	mov	w20, w1
	address	x3, endpoint
	ldrh	w0, [x3]
	ldr	w1, =SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC
	mov	x2, #0
	sys	socket
	tbnz	x0, #63, 3f
	mov	x19, x0
	mov	x1, #SOL_SOCKET
	mov	x2, #SO_REUSEADDR
	bl	switch_on
	tbnz	x0, #63, 2f
	cbz	w20, 1f
	mov	x0, x19
	mov	x1, #SOL_SOCKET
	mov	x2, #SO_REUSEPORT
	bl	switch_on
	tbnz	x0, #63, 2f
1:	mov	x0, x19				/* accepted sockets inherit it, which saves a system call for each */
	mov	x1, #IPPROTO_TCP
	mov	x2, #TCP_NODELAY
	bl	switch_on
	tbnz	x0, #63, 2f
	address	x0, option_nopush
	ldr	x0, [x0]
	cbz	x0, 4f
	mov	x0, x19				/* inherited as well; a help only */
	mov	x1, #IPPROTO_TCP
	mov	x2, #TCP_NOTSENT_LOWAT
	mov	w3, #UNSENT_MAX
	bl	set_to
4:	mov	x0, x19
	address	x1, endpoint
	address	x2, endpoint_length
	ldr	w2, [x2]
	sys	bind
	tbnz	x0, #63, 2f
	mov	x0, x19
3:	pop	x19, x20
	pop	x29, x30
	ret
2:	mov	x20, x0
	mov	x0, x19
	sys	close
	mov	x0, x20
	b	3b

/* listeners_open: x0 where descriptors go (4 bytes each), w1 how many -> x0 0 or a negated errno. Destroys x1-x8. */
proc listeners_open
	push	x29, x30
	push	x19, x20
	mov	x19, x0
	mov	w20, w1
	/* SO_REUSEPORT would let this server share a port with a forgotten one of the same user, and each would get half of the load.
	   A socket without it shows whether the port is free. */
	mov	w1, #0
	bl	bound_socket
	tbnz	x0, #63, 2f
	sys	close
1:	mov	w1, #1
	bl	bound_socket
	tbnz	x0, #63, 2f
	str	w0, [x19]
	mov	x1, #4096
	sys	listen
	tbnz	x0, #63, 2f
	ldr	w0, [x19], #4
	address	x1, endpoint			/* with port 0 the first one finds a port, and the others take the same */
	address	x2, endpoint_length
	sys	getsockname
	tbnz	x0, #63, 2f
	subs	w20, w20, #1
	b.ne	1b
	mov	x0, #0
2:	pop	x19, x20
	pop	x29, x30
	ret
endproc listeners_open
