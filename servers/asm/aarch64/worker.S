/* SPDX-License-Identifier: MIT */
/*
 * A worker: one process, one epoll, one listener, its own connections and its own cache; nothing is shared.
 *
 * epoll hands back 64 bits: descriptor in the low half, its generation in the high one; -1 is the listener, -2 the pipe whose other
 * end the main process holds. That end closes when the server is to stop, and also when the main process is killed.
 */
#include "syscalls.inc"
#include "layout.inc"

	.equ	LISTENER_MARK, -1
	.equ	STOP_MARK, -2

	.comm	worker, WORKER_SIZE, 64
	.hidden	worker
	.local	events
	.comm	events, EVENTS * EVENT_SIZE, 16

	/* x27 and w26 of the connection whose descriptor is in \from */
	.macro	find from
	mov	w26, \from
	ldr	x27, [x28, #W_TABLE]
	add	x27, x27, x26, lsl #SLOT_SHIFT
	.endm

/* worker_run: w0 listener, w1 reading end of the pipe, w2 root, w3 connections at most. Does not come back. */
proc worker_run
	address	x28, worker
	stp	w0, w1, [x28, #W_LISTENER]	/* and W_STOP */
	str	w2, [x28, #W_ROOT]
	str	w3, [x28, #W_CONNECTIONS_MAX]
	mov	w0, #-1
	str	w0, [x28, #W_QUEUE]
	mov	x1, #SLOTS << SLOT_SHIFT
	bl	map
	str	x0, [x28, #W_TABLE]
	mov	x1, x0
	mov	x0, #-ENOMEM
	cbz	x1, failed
	bl	request_start
	bl	clock_start
	mov	x0, #EPOLL_CLOEXEC
	sys	epoll_create1
	tbnz	x0, #63, failed
	str	w0, [x28, #W_EPOLL]
	bl	watch_listener
	tbnz	x0, #63, failed
	mov	x0, #EPOLL_CTL_ADD
	ldr	w1, [x28, #W_STOP]
	mov	w2, #EPOLLIN
	mov	x3, #STOP_MARK
	bl	watch
	tbnz	x0, #63, failed

turn:	mov	x3, #0
	ldr	w0, [x28, #W_QUEUE]
	tbz	w0, #31, 1f			/* somebody gave up a turn: only look */
	mov	x3, #TICK_MS
	ldrb	w0, [x28, #W_DRAINING]
	mov	x1, #DRAIN_LOOK_MS
	cmp	w0, #0
	csel	x3, x3, x1, eq
1:	ldr	w0, [x28, #W_EPOLL]
	address	x1, events
	mov	x2, #EVENTS
	mov	x4, #0
	mov	x5, #8
	sys	epoll_pwait
	mov	x20, x0				/* an error is no events */
	bl	clock_tick
	address	x19, events
2:	subs	x20, x20, #1
	b.mi	3f
	bl	dispatch
	add	x19, x19, #EVENT_SIZE
	b	2b
3:	ldr	w0, [x28, #W_QUEUE]
	tbnz	w0, #31, 4f
	bl	run_queue
4:	ldr	x0, [x28, #W_NOW_MS]
	ldr	x1, [x28, #W_NEXT_SWEEP]
	cmp	x0, x1
	b.lo	5f
	bl	sweep
5:	ldrb	w0, [x28, #W_DRAINING]
	cbz	w0, turn
	ldr	w0, [x28, #W_COUNT]
	cbz	w0, 6f
	ldp	x0, x1, [x28, #W_NEXT_SWEEP]	/* and W_DRAIN_UNTIL */
	ldr	x0, [x28, #W_NOW_MS]
	cmp	x0, x1
	b.lo	turn
6:	mov	x0, #0				/* the kernel closes what is left, and so cuts it off visibly */
	sys	exit_group

failed:	mov	x19, x0
	address	x0, no_worker
	bl	line_text
	mov	x0, x19
	bl	line_error
	bl	line_send
	mov	x0, #1
	sys	exit_group
endproc worker_run

/* watch: x0 operation, w1 descriptor, w2 events, x3 what epoll hands back -> x0 as epoll_ctl. Destroys x1-x3, x8. */
watch:
	sub	sp, sp, #16
	str	w2, [sp]
	str	x3, [sp, #EVENT_DATA]
	mov	w2, w1
	mov	x1, x0
	ldr	w0, [x28, #W_EPOLL]
	mov	x3, sp
	sys	epoll_ctl
	add	sp, sp, #16
	ret

/* watch_listener: clients are let in (again) -> x0 as epoll_ctl. Destroys x1-x3, x8. */
proc watch_listener
	strb	wzr, [x28, #W_PAUSED]
	mov	x0, #EPOLL_CTL_ADD
	ldr	w1, [x28, #W_LISTENER]
	mov	w2, #EPOLLIN
	mov	x3, #LISTENER_MARK
	b	watch
endproc watch_listener

/* worker_want_out: x27, w26 a connection whose socket is full. Destroys x0-x3, x8, w17. */
proc worker_want_out
	when	WANTS_OUT, 1f
	raise	WANTS_OUT
	mov	x0, #EPOLL_CTL_MOD
	ldr	w2, =EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET
	b	watch_connection
1:	ret
endproc worker_want_out

/* x0 operation, w2 events, x27, w26 connection -> x0 as epoll_ctl. Destroys x1-x3, x8. */
watch_connection:
	mov	w1, w26
	ldrh	w3, [x27, #C_GENERATION]
	orr	x3, x26, x3, lsl #32
	b	watch

/* worker_queue: x27, w26 a connection that gave up its turn and has more to do. Destroys w0, w17. */
proc worker_queue
	when	QUEUED, 1f
	raise	QUEUED
	ldr	w0, [x28, #W_QUEUE]
	str	w0, [x27, #C_NEXT_QUEUED]
	str	w26, [x28, #W_QUEUE]
1:	ret
endproc worker_queue

/* Those that gave up their turn have the next one. Destroys everything but x28. */
run_queue:
	push	x19, x30
	ldr	w19, [x28, #W_QUEUE]
	mov	w0, #-1
	str	w0, [x28, #W_QUEUE]
1:	tbnz	w19, #31, 2f
	find	w19
	ldr	w19, [x27, #C_NEXT_QUEUED]
	lower	QUEUED
	unless	OPEN, 1b			/* it was closed while it waited */
	bl	connection_turn
	b	1b
2:	pop	x19, x30
	ret

/* x19 an event. Destroys x0-x17, x26, x27. */
dispatch:
	ldr	w0, [x19]
	ldr	x1, [x19, #EVENT_DATA]
	cmn	x1, #-LISTENER_MARK
	b.eq	accept_some
	cmn	x1, #-STOP_MARK
	b.eq	start_draining
	find	w1
	unless	OPEN, 3f
	ldrh	w2, [x27, #C_GENERATION]
	lsr	x1, x1, #32
	cmp	w1, w2
	b.ne	3f				/* an earlier event of this batch closed it, and another took its place */
	tst	w0, #EPOLLIN
	b.eq	1f
	orr	w17, w17, #1 << READABLE
1:	mov	w2, #EPOLLRDHUP | EPOLLHUP | EPOLLERR
	tst	w0, w2
	b.eq	2f
	orr	w17, w17, #(1 << READABLE) | (1 << HUNG_UP)
2:	str	w17, [x27, #C_FLAGS]
	b	connection_turn
3:	ret

accept_some:
	push	x19, x30
	mov	w19, #ACCEPTS_A_TURN
1:	ldr	w0, [x28, #W_COUNT]
	ldr	w1, [x28, #W_CONNECTIONS_MAX]
	cmp	w0, w1
	b.hs	6f
	ldr	w0, [x28, #W_LISTENER]
	mov	x1, #0
	mov	x2, #0
	ldr	w3, =SOCK_NONBLOCK | SOCK_CLOEXEC
	sys	accept4
	tbnz	x0, #63, 5f
	mov	w1, #SLOTS
	cmp	w0, w1
	b.hs	4f
	find	w0
	ldr	w0, [x27, #C_FLAGS]
	and	w0, w0, #1 << QUEUED		/* of the one that had this descriptor before: the queue still names it */
	orr	w0, w0, #1 << OPEN
	str	w0, [x27, #C_FLAGS]
	str	xzr, [x27, #C_SKIP]
	ldr	w0, [x28, #W_NOW_MS]
	ldr	w1, =IDLE_MS
	add	w0, w0, w1
	str	w0, [x27, #C_DEADLINE]
	ldr	w0, [x28, #W_COUNT]
	add	w0, w0, #1
	str	w0, [x28, #W_COUNT]
	ldr	w0, [x28, #W_HIGHEST]
	add	w1, w26, #1
	cmp	w1, w0
	csel	w0, w1, w0, hi
	str	w0, [x28, #W_HIGHEST]
	mov	x0, #EPOLL_CTL_ADD
	ldr	w2, =EPOLLIN | EPOLLRDHUP | EPOLLET
	bl	watch_connection
	tbz	x0, #63, 2f
	bl	connection_close
2:	subs	w19, w19, #1
	b.ne	1b
3:	pop	x19, x30
	ret
4:	sys	close				/* the table has no place for it */
	b	2b

	/* Out of descriptors or memory: clients stay in the backlog until one goes or the next tick comes, and the loop does not
	   spin on a listener that cannot be served. */
5:	cmn	x0, #EMFILE
	b.eq	6f
	cmn	x0, #ENFILE
	b.eq	6f
	cmn	x0, #ENOBUFS
	b.eq	6f
	cmn	x0, #ENOMEM
	b.ne	3b
6:	mov	w0, #1
	strb	w0, [x28, #W_PAUSED]
	mov	x0, #EPOLL_CTL_DEL
	ldr	w1, [x28, #W_LISTENER]
	bl	watch
	b	3b

start_draining:
	push	x19, x30
	mov	w0, #1
	strb	w0, [x28, #W_DRAINING]
	ldr	x0, [x28, #W_NOW_MS]
	mov	x1, #DRAIN_MS
	add	x0, x0, x1
	str	x0, [x28, #W_DRAIN_UNTIL]
	ldrb	w0, [x28, #W_PAUSED]
	cbnz	w0, 1f
	bl	accept_some			/* clients that the kernel has already let in are not cut off */
1:	ldr	w0, [x28, #W_LISTENER]
	sys	close
	mov	x0, #EPOLL_CTL_DEL
	ldr	w1, [x28, #W_STOP]
	bl	watch
	ldr	w19, [x28, #W_HIGHEST]
2:	subs	w19, w19, #1
	b.lo	3f
	find	w19
	unless	OPEN, 2b
	raise	READABLE
	bl	connection_turn			/* closes it, unless it is in the middle of something */
	b	2b
3:	pop	x19, x30
	ret

/* Once a second: idle connections end, and what is under way is tried again (transfer.S). Destroys everything but x28. */
sweep:
	push	x19, x30
	ldr	x0, [x28, #W_NOW_MS]
	add	x0, x0, #TICK_MS
	str	x0, [x28, #W_NEXT_SWEEP]
	ldrb	w0, [x28, #W_PAUSED]
	ldrb	w1, [x28, #W_DRAINING]
	cbz	w0, 1f
	cbnz	w1, 1f
	bl	watch_listener
1:	ldr	w19, [x28, #W_HIGHEST]
2:	subs	w19, w19, #1
	b.lo	4f
	find	w19
	unless	OPEN, 2b
	ldr	w0, [x27, #C_DEADLINE]
	ldr	w1, [x28, #W_NOW_MS]
	subs	w0, w0, w1			/* 32 bits come round: the sign of the difference counts */
	b.le	3f
	ldr	x0, [x27, #C_FILE]
	ldr	x1, [x27, #C_OUT]
	orr	x0, x0, x1
	cbz	x0, 2b
	bl	connection_turn
	b	2b
3:	bl	connection_close
	b	2b
4:	pop	x19, x30
	ret

	.section .rodata
no_worker:
	.asciz	"asm: a worker cannot start"
