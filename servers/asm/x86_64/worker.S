/* SPDX-License-Identifier: MIT */
/*
 * A worker: one process, one epoll, one listener, its own connections and its own cache; nothing is shared. The loop: wait, then give
 * each connection that is ready its turn, then those that gave theirs up.
 *
 * An event's 64 bits of data: the descriptor below, what it is above (0 a connection).
 * Registers: r15 the event under way.
 */
#include "layout.inc"
#include "syscalls.inc"

	.equ	KIND_LISTENER, 1
	.equ	KIND_STOP, 2
	.equ	KIND_TIMER, 3

	shared	w_draining, 1, 1
	shared	w_count, 4, 4			/* open connections */
	shared	connections_max, 4, 4
	shared	paused, 1, 1			/* no descriptors are left: nobody is let in until one is, or until the next tick */
	own	epoll, 4, 4
	own	listener, 4, 4
	own	stop, 4, 4			/* reading end of the main process's pipe: ready when the server is to end */
	own	due, 1, 1			/* the timer went off in this batch */
	own	drain_until, 4, 4
	own	highest, 4, 4			/* no slot from this one on was ever a connection */
	own	queue, 4, 4			/* the first descriptor that waits for its next turn, or -1 */
	own	accepts_left, 4, 4
	own	events_end, 8
	own	events, EVENTS*EVENT_SIZE, 64
	own	event, 16

/* watch: edi EPOLL_CTL_, esi descriptor, edx events, ecx what it is -> eax. Destroys rsi, rdx, r10, r11, rcx, rdi. */
watch:
	mov	[event], edx
	mov	[event + EVENT_DATA], esi
	mov	[event + EVENT_DATA + 4], ecx
	mov	edx, esi
	mov	esi, edi
	mov	edi, [epoll]
	mov	r10d, offset event
	sys	epoll_ctl
	ret

/* watch_out: rbx, r12d waits for room in its socket. */
proc watch_out
	mov	eax, [rbx + C_FLAGS]
	test	eax, WANTS_OUT
	jnz	1f
	mov	edi, EPOLL_CTL_MOD
	mov	ecx, EPOLL_CTL_ADD
	test	eax, WATCHED
	cmovz	edi, ecx
	or	eax, WANTS_OUT | WATCHED
	mov	[rbx + C_FLAGS], eax
	mov	esi, r12d
	mov	edx, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET
	xor	ecx, ecx
	call	watch
	test	eax, eax
	js	connection_close
1:	ret
endproc watch_out

/* worker_queue: rbx, r12d gets another turn after the others. Destroys rax. */
proc worker_queue
	test	dword ptr [rbx + C_FLAGS], QUEUED
	jnz	1f
	or	dword ptr [rbx + C_FLAGS], QUEUED
	mov	eax, [queue]
	mov	[rbx + C_NEXT_QUEUED], eax
	mov	[queue], r12d
1:	ret
endproc worker_queue

/* slot: r12d -> rbx. */
	.macro	slot
	mov	rbx, r12
	shl	rbx, SLOT_SHIFT
	add	rbx, offset slots
	.endm

	.macro	still_here
	mov	eax, [tick]
	add	eax, IDLE_TICKS
	mov	[rbx + C_DEADLINE], eax
	.endm

/* worker_run: edi listener, esi stop. Never returns. */
proc worker_run
	mov	[listener], edi
	mov	[stop], esi
	mov	dword ptr [queue], -1
	mov	edi, EPOLL_CLOEXEC
	sys	epoll_create1
	mov	[epoll], eax
	test	eax, eax
	js	.Lcannot
	call	clock_start
	test	eax, eax
	js	.Lcannot
	mov	esi, eax
	mov	ecx, KIND_TIMER
	call	.Ladd
	call	responses_date
	mov	esi, [stop]
	mov	ecx, KIND_STOP
	call	.Ladd
	call	listener_watch

.Lloop:
	mov	edi, [epoll]
	mov	esi, offset events
	mov	edx, EVENTS
	mov	r10, -1
	xor	eax, eax
	cmp	dword ptr [queue], -1
	cmovne	r10, rax
	sys	epoll_wait
	mov	r15d, offset events
	test	eax, eax
	jle	.Lbatch_over
	lea	eax, [rax + rax * 2]		/* EVENT_SIZE is 12 */
	lea	rax, [r15 + rax * 4]
	mov	[events_end], rax
.Levent:
	cmp	dword ptr [r15 + EVENT_DATA + 4], 0
	jne	.Lspecial
	mov	r12d, [r15 + EVENT_DATA]
	slot
	mov	ecx, [rbx + C_FLAGS]
	test	ecx, OPEN
	jz	.Levent_over			/* closed earlier in this batch */
	mov	eax, [r15]
	mov	edx, ecx
	or	edx, READABLE
	test	eax, EPOLLIN
	cmovnz	ecx, edx
	or	edx, HUNG_UP
	test	eax, EPOLLRDHUP | EPOLLHUP | EPOLLERR
	cmovnz	ecx, edx
	mov	[rbx + C_FLAGS], ecx
	test	ecx, LINGERING
	jnz	1f
	still_here
1:	call	connection_turn
.Levent_over:
	add	r15, EVENT_SIZE
	cmp	r15, [events_end]
	jb	.Levent

.Lbatch_over:
	cmp	dword ptr [queue], -1
	jne	.Lqueue
.Lqueue_over:
	cmp	byte ptr [due], 0
	jne	.Ldue
.Ldue_over:
	cmp	byte ptr [w_draining], 0
	je	.Lloop
	cmp	dword ptr [w_count], 0
	je	.Lend
	mov	eax, [tick]
	sub	eax, [drain_until]
	js	.Lloop
.Lend:						/* what is still open is cut off, and looks it */
	xor	edi, edi
	sys	exit_group

.Lspecial:
	mov	eax, [r15 + EVENT_DATA + 4]
	mov	r14d, offset .Levent_over
	push	r14
	cmp	eax, KIND_LISTENER
	je	accept_some
	cmp	eax, KIND_STOP
	je	start_draining
	mov	byte ptr [due], 1
	jmp	clock_tick

	/* The whole list is taken off first: who gives up another turn waits for the next round. */
.Lqueue:
	mov	r12d, [queue]
	mov	dword ptr [queue], -1
2:	slot
	mov	eax, [rbx + C_NEXT_QUEUED]
	push	rax
	and	dword ptr [rbx + C_FLAGS], ~QUEUED
	test	dword ptr [rbx + C_FLAGS], OPEN
	jz	3f
	test	dword ptr [rbx + C_FLAGS], LINGERING
	jnz	4f
	still_here
4:	call	connection_turn
3:	pop	r12
	cmp	r12d, -1
	jne	2b
	jmp	.Lqueue_over

.Ldue:
	mov	byte ptr [due], 0
	call	sweep
	jmp	.Ldue_over

.Ladd:
	mov	edi, EPOLL_CTL_ADD
	mov	edx, EPOLLIN
	call	watch
	test	eax, eax
	js	.Lcannot
	ret
.Lcannot:
	push	rax
	mov	esi, offset cannot
	call	line_text
	pop	rax
	call	line_error
	mov	edi, 2
	call	line_send
	mov	edi, 1
	sys	exit_group

	.global	listener_watch
	.hidden	listener_watch
listener_watch:
	mov	byte ptr [paused], 0
	mov	edi, EPOLL_CTL_ADD
	mov	esi, [listener]
	mov	edx, EPOLLIN
	mov	ecx, KIND_LISTENER
	jmp	watch
endproc worker_run

/*
 * accept_some: accepts clients. Most have sent their request by now, so it is read at once: what is served and closed in this turn
 * never costs epoll a call. Destroys all registers but r15.
 */
accept_some:
	mov	dword ptr [accepts_left], ACCEPTS_A_TURN
1:	mov	eax, [w_count]
	cmp	eax, [connections_max]
	jae	5f
	mov	edi, [listener]
	xor	esi, esi
	xor	edx, edx
	mov	r10d, SOCK_NONBLOCK | SOCK_CLOEXEC
	sys	accept4
	test	eax, eax
	js	3f
	mov	r12d, eax
	cmp	eax, [highest]
	jb	2f
	lea	ecx, [rax + 1]
	mov	[highest], ecx
2:	slot
	inc	dword ptr [w_count]
	mov	eax, [rbx + C_FLAGS]
	and	eax, QUEUED			/* of this descriptor's last owner; another turn does no harm */
	or	eax, OPEN | READABLE
	mov	[rbx + C_FLAGS], eax
	xor	eax, eax
	mov	[rbx + C_HELD], rax
	mov	[rbx + C_OUT], rax
	mov	[rbx + C_SKIP], rax
	mov	dword ptr [rbx + C_FILE], -1
	still_here
	call	connection_turn
	mov	eax, [rbx + C_FLAGS]
	and	eax, OPEN | WATCHED
	cmp	eax, OPEN
	jne	4f
	or	dword ptr [rbx + C_FLAGS], WATCHED
	mov	edi, EPOLL_CTL_ADD
	mov	esi, r12d
	mov	edx, EPOLLIN | EPOLLRDHUP | EPOLLET
	xor	ecx, ecx
	call	watch
	test	eax, eax
	jns	4f
	call	connection_close
4:	dec	dword ptr [accepts_left]
	jnz	1b
	ret
	/* Out of descriptors or memory: clients stay in the backlog for a while, and the loop does not spin on a listener
	 * that cannot be served. Anything else concerns one client that is gone already. */
3:	cmp	eax, -EMFILE
	je	5f
	cmp	eax, -ENFILE
	je	5f
	cmp	eax, -ENOBUFS
	je	5f
	cmp	eax, -ENOMEM
	je	5f
	ret
5:	mov	byte ptr [paused], 1
	mov	edi, EPOLL_CTL_DEL
	mov	esi, [listener]
	jmp	watch

/* start_draining: no new connections; those that are idle are closed, the others after their response. */
start_draining:
	mov	byte ptr [w_draining], 1
	mov	eax, [tick]
	add	eax, DRAIN_TICKS
	mov	[drain_until], eax
	mov	edi, EPOLL_CTL_DEL
	mov	esi, [stop]
	call	watch
	cmp	byte ptr [paused], 0
	jne	1f
	call	accept_some			/* clients that the kernel has already let in are not cut off */
1:	mov	byte ptr [paused], 0
	mov	edi, [listener]
	sys	close
	xor	r12d, r12d
2:	cmp	r12d, [highest]
	jae	4f
	slot
	test	dword ptr [rbx + C_FLAGS], OPEN
	jz	3f
	or	dword ptr [rbx + C_FLAGS], READABLE
	call	connection_turn
3:	inc	r12d
	jmp	2b
4:	ret

/* sent: how far rbx has come with what was kept and with the file behind it -> rax. */
	.macro	sent
	mov	eax, [rbx + C_OUT_POS]
	add	rax, [rbx + C_FILE_POS]
	.endm

/*
 * sweep: once a second. Closes what was silent too long, and tries again to send where a socket said that it was full (send_file).
 * What it takes then is a sign of life: it says by itself that it has room only when much of it is free, and who reads a few KB a second
 * would be silent for minutes until then.
 */
sweep:
	cmp	byte ptr [paused], 0
	je	1f
	call	listener_watch
1:	xor	r12d, r12d
2:	cmp	r12d, [highest]
	jae	5f
	slot
	test	dword ptr [rbx + C_FLAGS], OPEN
	jz	4f
	mov	eax, [tick]
	sub	eax, [rbx + C_DEADLINE]
	js	3f
	call	connection_close
	jmp	4f
3:	cmp	dword ptr [rbx + C_FILE], -1
	jne	6f
	cmp	qword ptr [rbx + C_OUT], 0
	je	4f
6:	sent
	push	rax
	call	connection_turn
	slot
	sent
	pop	rcx
	cmp	rax, rcx
	je	4f
	test	dword ptr [rbx + C_FLAGS], LINGERING	/* that has a time of its own */
	jnz	4f
	still_here
4:	inc	r12d
	jmp	2b
5:	ret

	.section .rodata
cannot:
	.asciz	"asm: a worker cannot watch its sockets"
