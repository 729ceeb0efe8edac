/* SPDX-License-Identifier: MIT */
/*
 * One client: a slot of the worker's table, found by its descriptor. Bytes are read into, and responses are sent from, buffers that belong to
 * the worker, so an idle connection costs 64 bytes. Only what cannot be used yet (half a request, a response that the socket would
 * not take) is copied to memory of its own, and reading stops until that is gone: no client can make the server grow.
 *
 * Registers: x27 connection, w26 its descriptor, x28 worker.
 */
#include "syscalls.inc"
#include "layout.inc"

	.local	in
	.comm	in, IN_SIZE + SLACK, 16

/* connection_turn: does all that can be done now. Destroys x0-x17. */
proc connection_turn
	push	x19, x30
	push	x20, x21
	when	LINGERING, linger
	mov	w19, #TURN_READS
	ldp	x0, x1, [x27, #C_OUT]		/* and C_FILE */
	orr	x0, x0, x1
	cbz	x0, next
	bl	send_pending
	cbnz	x0, not_done

next:	when	LAST, finished
	subs	w19, w19, #1
	b.lo	yield
	bl	take_input
	cmp	x0, #0
	b.lt	close
	b.eq	empty
	mov	x20, x0
	bl	respond_all			/* -> x0 bytes that are used up */
	subs	x2, x20, x0
	b.ne	keep
	ldrh	w1, [x27, #C_HELD_LEN]
	cbz	w1, sending
	ldr	x0, [x27, #C_HELD]
	str	xzr, [x27, #C_HELD]
	strh	wzr, [x27, #C_HELD_LEN]
	bl	block_free
	b	sending
keep:	address	x1, in
	add	x1, x1, x0
	bl	hold
	cbz	x0, close
sending:
	ldr	x0, [x28, #W_OUT_LEN]
	cbz	x0, next
	bl	send_responses
	cbz	x0, next

not_done:
	cmp	x0, #YIELDED
	b.eq	yield
	b.hi	close				/* FAILED */
	bl	worker_want_out
	b	over
yield:	bl	worker_queue
	b	over
empty:	ldrb	w0, [x28, #W_DRAINING]
	cbz	w0, over
close:	bl	connection_close
over:	pop	x20, x21
	pop	x19, x30
	ret

finished:
	unless	LINGER, close

/* Closing a socket with unread bytes in it sends a reset, which can overtake the response: read until it is quiet. */
	raise	LINGERING
	raise	READABLE
	ldr	w0, [x28, #W_NOW_MS]
	mov	w1, #LINGER_MS
	add	w0, w0, w1
	str	w0, [x27, #C_DEADLINE]
	mov	w0, w26
	mov	x1, #SHUT_WR
	sys	shutdown
linger:	mov	w19, #TURN_READS
1:	unless	READABLE, over
	subs	w19, w19, #1
	b.lo	yield
	address	x1, in
	mov	x2, #IN_SIZE
	bl	receive
	cmp	x0, #0
	b.gt	1b
	b.eq	close
	cmn	x0, #EAGAIN
	b.ne	close
	lower	READABLE
	b	over
endproc connection_turn

/* receive: x1 to, x2 how many at most -> x0 as recv. Destroys x2-x5, x8. */
receive:
	mov	w0, w26
	mov	x3, #0
	mov	x4, #0
	mov	x5, #0
	sys	recvfrom
	cmn	x0, #EINTR
	b.eq	receive
	ret

/* take_input: -> x0 bytes in `in`, held ones first; 0 when there is nothing to do now, negative at the end. Destroys x1-x17. */
take_input:
	push	x19, x30
	mov	x0, #0
	ldr	w1, [x27, #C_FLAGS]
	mov	w2, #(1 << READY) | (1 << READABLE)
	tst	w1, w2
	b.eq	3f
	ldrh	w19, [x27, #C_HELD_LEN]
	cbz	w19, 1f
	address	x0, in
	ldr	x1, [x27, #C_HELD]
	mov	x2, x19
	bl	copy
	mov	x0, x19
	when	READY, 2f
1:	address	x1, in
	add	x1, x1, x19
	mov	x2, #IN_SIZE
	sub	x2, x2, x19
	bl	receive
	cmp	x0, #0
	b.le	4f
	ldr	w1, [x28, #W_NOW_MS]
	ldr	w2, =IDLE_MS
	add	w1, w1, w2
	str	w1, [x27, #C_DEADLINE]
	add	x0, x0, x19
	cmp	x0, #IN_SIZE
	b.hs	2f
	when	HUNG_UP, 2f
	lower	READABLE			/* it came back short: there is no need to hear EAGAIN */
2:	address	x1, in
	strb	wzr, [x1, x0]			/* where request_parse stops */
3:	pop	x19, x30
	ret
4:	cmn	x0, #EAGAIN
	b.ne	5f
	lower	READABLE
	mov	x0, #0
	b	3b
5:	mov	x0, #-1
	b	3b

/* hold: x1 bytes, x2 how many, are kept for a later turn -> x0 0 when there is no memory. Destroys x1-x17. */
hold:
	push	x19, x30
	push	x20, x21
	mov	x19, x1
	mov	x20, x2
	ldr	x0, [x27, #C_HELD]
	ldrh	w1, [x27, #C_HELD_LEN]
	cmp	x1, x20				/* what held more has room for less */
	b.hs	1f
	str	xzr, [x27, #C_HELD]
	strh	wzr, [x27, #C_HELD_LEN]
	bl	block_free
	mov	x0, x20
	bl	block_get
	cbz	x0, 2f
	str	x0, [x27, #C_HELD]
1:	strh	w20, [x27, #C_HELD_LEN]
	mov	x1, x19
	mov	x2, x20
	bl	copy
2:	pop	x20, x21
	pop	x19, x30
	ret

/* respond_all: x0 bytes in `in`; responds to all whole requests for which there is room -> x0 bytes that are used up. Destroys x1-x17. */
respond_all:
	push	x19, x30
	push	x20, x21
	str	xzr, [x28, #W_OUT_LEN]
	lower	READY
	address	x19, in				/* x19 where the next request begins */
	add	x20, x19, x0			/* x20 the end */
1:	when	LAST, 6f
	ldr	x1, [x27, #C_SKIP]
	cbz	x1, 2f
	sub	x2, x20, x19
	cmp	x2, x1
	csel	x2, x2, x1, lo
	add	x19, x19, x2
	sub	x1, x1, x2
	str	x1, [x27, #C_SKIP]
2:	cmp	x19, x20
	b.eq	5f
	ldr	x1, [x27, #C_FILE]
	cbnz	x1, 4f				/* a file is the last thing of a turn */
	ldr	x1, [x28, #W_OUT_LEN]
	mov	w2, #OUT_SIZE - HEAD_MAX - SMALL_FILE
	cmp	x1, x2
	b.hi	4f
	mov	x0, x19
	sub	x1, x20, x19
	bl	request_parse
	cmp	x0, #0
	b.le	3f
	add	x19, x19, x0
	bl	respond
	b	1b

3:	b.lt	7f
	sub	x1, x20, x19
	cmp	x1, #REQUEST_MAX
	b.lo	5f
	mov	x0, #-431
7:	raise	LAST
	raise	LINGER
	str	wzr, [x28, #R_METHOD]		/* METHOD_GET: an error has a body */
	str	wzr, [x28, #R_FLAGS]
	neg	x0, x0
	bl	response_error
	mov	x19, x20
	b	5f

4:	raise	READY
5:	address	x1, in
	sub	x0, x19, x1
	pop	x20, x21
	pop	x19, x30
	ret

6:	ldr	x1, [x27, #C_SKIP]		/* the rest is not wanted; where there is or may be one, it must be read all the same */
	cbnz	x1, 8f
	cmp	x19, x20
	b.eq	5b
8:	raise	LINGER
	mov	x19, x20
	b	5b

/* connection_close: the slot is free for the next one; what it had is given back. Destroys x0-x17. */
proc connection_close
	push	x19, x30
	mov	w0, w26
	sys	close
	ldr	x0, [x27, #C_HELD]
	bl	block_free
	ldr	x0, [x27, #C_OUT]
	bl	block_free
	ldr	x0, [x27, #C_FILE]
	cbz	x0, 1f
	bl	file_release
1:	stp	xzr, xzr, [x27, #C_HELD]	/* and C_OUT */
	str	xzr, [x27, #C_FILE]
	strh	wzr, [x27, #C_HELD_LEN]
	ldrh	w0, [x27, #C_GENERATION]
	add	w0, w0, #1
	strh	w0, [x27, #C_GENERATION]
	ldr	w0, [x27, #C_FLAGS]
	and	w0, w0, #1 << QUEUED
	str	w0, [x27, #C_FLAGS]
	ldr	w0, [x28, #W_COUNT]
	sub	w0, w0, #1
	str	w0, [x28, #W_COUNT]
	ldrb	w0, [x28, #W_PAUSED]
	ldrb	w1, [x28, #W_DRAINING]
	cbz	w0, 2f
	cbnz	w1, 2f
	bl	watch_listener			/* there is room for one more now */
2:	pop	x19, x30
	ret
endproc connection_close
