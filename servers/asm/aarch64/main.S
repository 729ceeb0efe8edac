/* SPDX-License-Identifier: MIT */
/*
 * asm: an HTTP/1.1 file server for Linux on aarch64 (ARMv8.0 and NEON; no library).
 *
 *   make BUILD=/tmp/asm && /tmp/asm/asm --root /srv/files --port 8080 --workers 2
 *
 * The main process opens everything that can fail, so that there is one place that complains; then it forks the workers and waits.
 * SIGTERM or SIGINT: no new connections, responses under way are finished (at most 3 s), exit 0. Signals are blocked and taken by
 * rt_sigtimedwait: there is no handler, and a worker hears of the end by the pipe. SIGPIPE stays blocked too: sendfile knows no
 * MSG_NOSIGNAL.
 *
 * Registers: w19 root, w20 workers still to be forked, w21 and w22 the pipe's reading and writing end, x23 the listener's place,
 * w24 exit status, w25 connections that a worker may have, then when patience ends.
 */
#include "syscalls.inc"
#include "layout.inc"

	.equ	MASK_ALL, 1 << (SIGINT - 1) | 1 << (SIGPIPE - 1) | 1 << (SIGTERM - 1) | 1 << (SIGCHLD - 1)
	.equ	PATIENCE_MS, 4000		/* with workers that were told to end; they take 3 s at most */
	.equ	MASK_WAIT, 1 << (SIGINT - 1) | 1 << (SIGTERM - 1) | 1 << (SIGCHLD - 1)

	.local	listeners
	.comm	listeners, WORKERS_MAX * 4, 8
	.local	pids				/* of worker 1, 2, …; place 0 stays empty */
	.comm	pids, (WORKERS_MAX + 1) * 4, 8
	.local	scratch
	.comm	scratch, 16, 16

proc _start
	ldr	x0, [sp]
	add	x1, sp, #8
	mov	x29, #0
	mov	x30, #0
	bl	options_parse

	address	x0, option_address
	ldr	x0, [x0]
	address	x1, option_port
	ldr	w1, [x1]
	bl	endpoint_parse
	cbnz	x0, bad_address

	/* As many descriptors as the system lets us have, and the table has slots. */
	mov	x0, #0
	mov	x1, #RLIMIT_NOFILE
	mov	x2, #0
	address	x3, scratch
	sys	prlimit64
	mov	x25, #SLOTS			/* not known: accept4 tells */
	cbnz	x0, 1f
	address	x2, scratch
	ldr	x0, [x2, #8]
	mov	x1, #SLOTS
	cmp	x0, x1
	csel	x25, x0, x1, lo
	str	x25, [x2]
	mov	x0, #0
	mov	x1, #RLIMIT_NOFILE
	mov	x3, #0
	sys	prlimit64
	/* An eighth of them, or as many as the cache has places, is kept for files: with all gone to clients nobody could be served. */
	lsr	x0, x25, #3
	mov	x1, #CACHE_SETS * CACHE_WAYS
	cmp	x0, x1
	csel	x0, x0, x1, lo
	add	x0, x0, #OWN_DESCRIPTORS
	subs	x25, x25, x0
	mov	x1, #1
	csel	x25, x25, x1, gt

1:	mov	x0, #SIG_BLOCK
	address	x1, mask_all
	mov	x2, #0
	mov	x3, #8
	sys	rt_sigprocmask

	mov	x0, #AT_FDCWD
	address	x1, option_root
	ldr	x1, [x1]
	ldr	w2, =O_DIRECTORY | O_CLOEXEC
	mov	x3, #0
	sys	openat
	tbnz	x0, #63, bad_root
	mov	w19, w0

	address	x0, listeners
	address	x1, option_workers
	ldr	w20, [x1]
	mov	w1, w20
	bl	listeners_open
	tbnz	x0, #63, cannot_listen

	address	x0, scratch
	ldr	w1, =O_CLOEXEC
	sys	pipe2
	tbnz	x0, #63, cannot_start
	address	x0, scratch
	ldp	w21, w22, [x0]

	address	x23, listeners
2:	mov	x0, #SIGCHLD			/* which is what fork was */
	mov	x1, #0
	mov	x2, #0
	mov	x3, #0
	mov	x4, #0
	sys	clone
	tbnz	x0, #63, cannot_start
	cbz	x0, child
	address	x1, pids
	str	w0, [x1, x20, lsl #2]
	add	x23, x23, #4
	subs	w20, w20, #1
	b.ne	2b
	mov	x23, #-1
	bl	close_listeners

	address	x0, listening
	bl	say_endpoint
	address	x0, with
	bl	line_text
	address	x0, option_workers
	ldr	x0, [x0]
	bl	line_number
	address	x0, workers
	bl	line_text
	bl	line_send

	mov	w24, #0
3:	address	x0, mask_wait
	mov	x1, #0
	mov	x2, #0
	mov	x3, #8
	sys	rt_sigtimedwait
	tbnz	x0, #63, 3b
	cmp	x0, #SIGCHLD
	b.ne	4f
	mov	x0, #-1				/* a worker that was stopped or goes on sends this signal too */
	mov	x1, #0
	mov	x2, #WNOHANG
	mov	x3, #0
	sys	wait4
	cmp	x0, #0
	b.le	3b
	bl	forget
	mov	w24, #1				/* nobody asked that worker to end */
	address	x0, worker_ended
	bl	line_text
	bl	line_send

4:	mov	w0, w22				/* the workers hear of it */
	sys	close
	bl	now_ms
	mov	x1, #PATIENCE_MS
	add	x25, x0, x1
5:	mov	x0, #-1
	address	x1, scratch
	mov	x2, #WNOHANG
	mov	x3, #0
	sys	wait4
	tbnz	x0, #63, 8f			/* there are none left */
	cbz	x0, 6f
	bl	forget
	address	x1, scratch
	ldr	w1, [x1]
	cbz	w1, 5b
	cbz	x25, 5b				/* it was us */
	mov	w24, #1
	b	5b
6:	cbz	x25, 7f
	bl	now_ms
	cmp	x0, x25
	b.lo	7f
	mov	x25, #0				/* one is stuck, in a read from a disk that does not respond, say; the others have ended by now */
	bl	kill_workers
7:	address	x0, mask_wait
	mov	x1, #0
	address	x2, a_moment
	mov	x3, #8
	sys	rt_sigtimedwait
	b	5b
8:	mov	w0, w24
	sys	exit_group

child:	mov	w0, w22
	sys	close
	bl	close_listeners
	ldr	w0, [x23]
	mov	w1, w21
	mov	w2, w19
	mov	w3, w25
	b	worker_run
endproc _start

/* All listeners are closed but the one whose place is x23: a socket that others keep open would take connections that nobody accepts. */
close_listeners:
	address	x9, listeners
	address	x10, option_workers
	ldr	x10, [x10]
1:	cmp	x9, x23
	b.eq	2f
	ldr	w0, [x9]
	sys	close
2:	add	x9, x9, #4
	subs	x10, x10, #1
	b.ne	1b
	ret

/* -> x0 monotonic milliseconds. Destroys x1, x2, x8. */
now_ms:
	mov	x0, #CLOCK_MONOTONIC_COARSE
	address	x1, scratch
	sys	clock_gettime
	address	x2, scratch
	ldp	x0, x1, [x2]
	ldr	x2, =1000000
	udiv	x1, x1, x2
	mov	x2, #1000
	madd	x0, x0, x2, x1
	ret

/* w0 a worker that was waited for: its number may belong to somebody else from now on. Destroys x9-x11. */
forget:
	address	x9, option_workers
	ldr	x9, [x9]
	address	x10, pids
1:	ldr	w11, [x10, x9, lsl #2]
	cmp	w11, w0
	b.ne	2f
	str	wzr, [x10, x9, lsl #2]
2:	subs	x9, x9, #1
	b.ne	1b
	ret

/* Ends the workers that are left. Destroys x0, x1, x8-x10. */
kill_workers:
	address	x9, option_workers
	ldr	x9, [x9]
	address	x10, pids
1:	ldr	w0, [x10, x9, lsl #2]
	cbz	w0, 2f				/* 0 would mean everybody of our group */
	mov	x1, #SIGKILL
	sys	kill
2:	subs	x9, x9, #1
	b.ne	1b
	ret

/* x0 text; behind it go address and port. Destroys x0-x7. */
say_endpoint:
	push	x29, x30
	bl	line_text
	address	x0, option_address
	ldr	x0, [x0]
	bl	line_text
	address	x0, port
	bl	line_text
	bl	endpoint_port
	bl	line_number
	pop	x29, x30
	ret

bad_address:
	address	x0, address_is_bad
	bl	line_text
	address	x0, option_address
	ldr	x0, [x0]
	bl	line_text
	address	x0, not_numeric
	bl	line_text
	bl	line_send
	mov	x0, #2
	sys	exit_group

bad_root:
	mov	x19, x0
	address	x0, root_is_bad
	bl	line_text
	address	x0, option_root
	ldr	x0, [x0]
	bl	line_text
	b	fail
cannot_listen:
	mov	x19, x0
	address	x0, no_listener
	bl	say_endpoint
	b	fail
cannot_start:
	mov	x19, x0
	address	x0, no_workers
	bl	line_text
fail:	mov	x0, x19
	bl	line_error
	bl	line_send
	mov	x0, #1
	sys	exit_group

	.section .rodata
	.balign	8
mask_all:
	.quad	MASK_ALL
mask_wait:
	.quad	MASK_WAIT
a_moment:
	.quad	0, 100000000			/* seconds, nanoseconds */
listening:
	.asciz	"asm: listening on "
port:
	.asciz	" port "
with:
	.asciz	" with "
workers:
	.asciz	" workers"
worker_ended:
	.asciz	"asm: a worker ended by itself, so the others end too"
address_is_bad:
	.asciz	"asm: --address "
not_numeric:
	.asciz	" is not a numeric IPv4 or IPv6 address"
root_is_bad:
	.asciz	"asm: cannot open the root "
no_listener:
	.asciz	"asm: cannot listen on "
no_workers:
	.asciz	"asm: cannot start the workers"
