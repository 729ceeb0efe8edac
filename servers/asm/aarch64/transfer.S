/* SPDX-License-Identifier: MIT */
/*
 * Sending. What the socket does not take stays with the connection, and EPOLLOUT brings it back here.
 *
 * A write that came back short says that the socket is full: it is not asked again for an EAGAIN. For a file the other reason
 * is that it shrank; the sweep, once a second, finds that out.
 *
 * No TCP_CORK for a file of a megabyte: it saves 10 % on Linux 6.1, nothing on 6.12, and on 6.18 with the client on another core it
 * doubles the cost. From HELD_BACK_FROM on it is cheaper, and used with --nopush 1.
 *
 * Registers: x27 connection, w26 its descriptor, x28 worker. System calls keep x9-x17, so that they serve as variables here.
 */
#include "syscalls.inc"
#include "layout.inc"

	.macro	touch				/* there was progress: the connection is not idle. Destroys x16, w17 */
	ldr	w16, [x28, #W_NOW_MS]
	ldr	w17, =IDLE_MS
	add	w16, w16, w17
	str	w16, [x27, #C_DEADLINE]
	.endm

/*
 * cork: w3 1 from a large file's head to its last byte, then 0: meanwhile only full packets leave. x13 the file or 0.
 * Destroys x0-x4, x8.
 */
cork:
	cbz	x13, 1f
	ldr	x0, [x13, #F_SIZE]
	cmp	x0, #HELD_BACK_FROM
	b.lo	1f
	address	x0, option_nopush
	ldr	x0, [x0]
	cbz	x0, 1f
	str	x3, [sp, #-16]!
	mov	w0, w26
	mov	x1, #IPPROTO_TCP
	mov	x2, #TCP_CORK
	mov	x3, sp
	mov	x4, #4
	sys	setsockopt				/* a help only */
	add	sp, sp, #16
1:	ret

/* send_bytes: x0 bytes, x1 how many -> x0 progress, x1 how many were sent. Destroys x2-x17. */
proc send_bytes
	mov	x9, x0
	mov	x10, x1
	mov	x11, #0
1:	mov	w0, w26
	add	x1, x9, x11
	sub	x2, x10, x11
	mov	w3, #MSG_NOSIGNAL		/* and no MSG_MORE, also for a file's head: it wakes the client meanwhile */
	mov	x4, #0
	mov	x5, #0
	sys	sendto
	tbnz	x0, #63, 2f
	add	x11, x11, x0
	touch
	cmp	x11, x10
	mov	x0, #BLOCKED
	csel	x0, xzr, x0, hs			/* DONE is 0 */
	mov	x1, x11
	ret
2:	cmn	x0, #EINTR
	b.eq	1b
	mov	x1, x11
	b	refused
endproc send_bytes

/* x0 a negated errno -> x0 progress */
refused:
	cmn	x0, #EAGAIN
	mov	x0, #BLOCKED
	b.eq	1f
	mov	x0, #FAILED
1:	ret

/* send_file: the file under way, TURN_BYTES at most -> x0 progress. Destroys x1-x17. */
proc send_file
	ldr	x9, [x27, #C_FILE]
	ldr	x10, [x9, #F_SIZE]
	mov	x11, #TURN_BYTES
1:	ldr	x1, [x27, #C_FILE_POS]
	subs	x12, x10, x1
	b.ls	3f
	cmp	x12, x11
	csel	x12, x12, x11, lo
	mov	w0, w26
	ldr	w1, [x9, #F_FD]
	add	x2, x27, #C_FILE_POS		/* the kernel moves it */
	mov	x3, x12
	sys	sendfile
	cmp	x0, #0
	b.le	2f
	touch
	cmp	x0, x12
	b.lo	4f
	subs	x11, x11, x0
	b.ne	1b
	ldr	x1, [x27, #C_FILE_POS]
	cmp	x1, x10
	b.hs	3f
	mov	x0, #YIELDED
	ret
2:	b.eq	5f
	cmn	x0, #EINTR
	b.eq	1b
	b	refused
3:	str	xzr, [x27, #C_FILE]
	push	x29, x30
	mov	x13, x9
	mov	w3, #0
	bl	cork
	mov	x0, x9
	bl	file_release
	pop	x29, x30
	mov	x0, #DONE
	ret
4:	mov	x0, #BLOCKED
	ret
5:	mov	x0, #FAILED			/* it shrank; only a broken connection can still tell the client */
	ret
endproc send_file

/* send_pending: what is left of an earlier turn -> x0 progress. Destroys x1-x17. */
proc send_pending
	push	x29, x30
	ldr	x0, [x27, #C_OUT]
	cbz	x0, 1f
	ldr	w2, [x27, #C_OUT_POS]
	ldr	w1, [x27, #C_OUT_LEN]
	add	x0, x0, x2
	sub	w1, w1, w2
	bl	send_bytes
	ldr	w2, [x27, #C_OUT_POS]
	add	w2, w2, w1
	str	w2, [x27, #C_OUT_POS]
	cbnz	x0, 2f
	ldr	x0, [x27, #C_OUT]
	str	xzr, [x27, #C_OUT]
	bl	block_free
1:	ldr	x0, [x27, #C_FILE]
	cbz	x0, 2f				/* which is DONE */
	bl	send_file
2:	pop	x29, x30
	ret
endproc send_pending

/* send_responses: what this turn has put into `out`, then the file that goes with it -> x0 progress. Destroys x1-x17. */
proc send_responses
	push	x19, x30
	ldr	x13, [x27, #C_FILE]
	mov	w3, #1
	bl	cork
	address	x0, out
	ldr	x1, [x28, #W_OUT_LEN]
	bl	send_bytes
	cbz	x0, 3f
	cmp	x0, #BLOCKED
	b.ne	2f
	mov	x19, x1
	ldr	x0, [x28, #W_OUT_LEN]
	sub	x0, x0, x19
	str	w0, [x27, #C_OUT_LEN]
	str	wzr, [x27, #C_OUT_POS]
	bl	block_get
	str	x0, [x27, #C_OUT]
	cbz	x0, 1f
	address	x1, out
	add	x1, x1, x19
	ldr	w2, [x27, #C_OUT_LEN]
	bl	copy
	mov	x0, #BLOCKED
	b	2f
1:	mov	x0, #FAILED
2:	pop	x19, x30
	ret
3:	ldr	x0, [x27, #C_FILE]
	cbz	x0, 2b
	bl	send_file
	b	2b
endproc send_responses
