/* SPDX-License-Identifier: MIT */
/*
 * One client. Its slot is found by its descriptor: nothing is allocated when it comes. Bytes are read into, and responses are sent from, buffers
 * of the worker, so an idle connection costs its slot and nothing else. Only what cannot be used yet (half a request, a response that the
 * socket would not take) is copied to a block of its own, and reading stops until that is gone: no client can make it grow.
 */
#include "layout.inc"
#include "syscalls.inc"

	shared	slots, SLOTS<<SLOT_SHIFT, 64
	own	turns_left, 4, 4

/*
 * connection_turn: does for rbx, r12d what can be done now. The connection may be gone afterwards.
 * Destroys r13, r14, rbp and all scratch registers.
 */
proc connection_turn
	test	dword ptr [rbx + C_FLAGS], LINGERING
	jnz	linger
	mov	dword ptr [turns_left], TURN_READS
	cmp	qword ptr [rbx + C_OUT], 0
	jne	.Lpending
	cmp	dword ptr [rbx + C_FILE], -1
	jne	.Lpending
.Lnext:
	mov	eax, [rbx + C_FLAGS]
	test	eax, LAST
	jnz	.Llast
	test	eax, READY | READABLE
	jz	.Lidle
	dec	dword ptr [turns_left]
	js	.Lyield
	mov	r13d, offset in
	mov	r14d, offset in
	mov	rsi, [rbx + C_HELD]
	test	rsi, rsi
	jnz	.Lheld
.Lread:
	mov	edi, r12d
	mov	rsi, r14
	mov	edx, offset in + IN_SIZE
	sub	edx, esi
	xor	r10d, r10d
	xor	r8d, r8d
	xor	r9d, r9d
	sys	recvfrom
	test	rax, rax
	jle	.Lno_input
	add	r14, rax
	cmp	rax, rdx
	je	.Lrespond
	/* A short read has emptied the socket: the next event says when there is more. Only the end of a hung-up one has no event. */
	mov	eax, [rbx + C_FLAGS]
	mov	ecx, eax
	and	ecx, ~READABLE
	test	eax, HUNG_UP
	cmovz	eax, ecx
	mov	[rbx + C_FLAGS], eax
.Lrespond:
	call	respond_all
	cmp	r13, r14
	jne	.Lkeep
	mov	rax, [rbx + C_HELD]
	test	rax, rax
	jnz	.Lused_up
.Lsend:
	test	rdx, rdx
	jz	.Lnext
	call	send_response
.Lsent:
	test	eax, eax
	jz	.Lnext
	cmp	eax, YIELDED
	jb	watch_out			/* BLOCKED */
	je	.Lyield
	jmp	connection_close

.Lpending:
	call	send_pending
	jmp	.Lsent
.Lyield:
	jmp	worker_queue

.Lidle:
	cmp	byte ptr [w_draining], 0
	jne	connection_close
	ret

.Lno_input:
	jz	connection_close		/* the client is done, and so is all that it asked for */
	cmp	eax, -EINTR
	je	.Lread
	cmp	eax, -EAGAIN
	jne	connection_close
	and	dword ptr [rbx + C_FLAGS], ~READABLE
	jmp	.Lidle

.Llast:
	test	eax, LINGER
	jnz	linger
	jmp	connection_close

	/* What is held goes in front of what is read, or is handled first when it may be whole. */
.Lheld:
	mov	ecx, [rsi + B_LEN]
	mov	rdi, r13
	rep movsb
	mov	r14, rdi
	test	eax, READY
	jnz	.Lrespond
	jmp	.Lread

	/* The bytes from r13 to r14 are held. Keeps rsi and rdx, which are to be sent. */
.Lkeep:
	push	rsi
	push	rdx
	mov	rdx, r14
	sub	rdx, r13
	mov	rax, [rbx + C_HELD]
	test	rax, rax
	jz	2f
	mov	ecx, [rax + B_CLASS]
	mov	r8d, 1
	shl	r8, cl
	sub	r8, 16
	cmp	rdx, r8
	ja	1f
	mov	[rax + B_LEN], edx
	jmp	3f
1:	call	block_free
2:	call	block_get
	mov	[rbx + C_HELD], rax
	test	rax, rax
	jz	4f
3:	mov	rdi, rax
	mov	rsi, r13
	mov	ecx, edx
	rep movsb
	pop	rdx
	pop	rsi
	jmp	.Lsend
4:	add	rsp, 16
	jmp	connection_close

.Lused_up:
	push	rsi
	push	rdx
	call	block_free
	mov	qword ptr [rbx + C_HELD], 0
	pop	rdx
	pop	rsi
	jmp	.Lsend
endproc connection_turn

/*
 * linger: closing a socket with unread bytes in it sends a reset, which can overtake the response. So the sending side is closed, and
 * what still comes is read and thrown away until the client closes or LINGER_TICKS are over.
 */
linger:
	test	dword ptr [rbx + C_FLAGS], LINGERING
	jnz	1f
	or	dword ptr [rbx + C_FLAGS], LINGERING | READABLE
	mov	edi, r12d
	mov	esi, SHUT_WR
	sys	shutdown
	mov	eax, [tick]
	add	eax, LINGER_TICKS
	mov	[rbx + C_DEADLINE], eax
1:	mov	dword ptr [turns_left], TURN_READS
2:	test	dword ptr [rbx + C_FLAGS], READABLE
	jz	3f
	dec	dword ptr [turns_left]
	js	worker_queue
	mov	edi, r12d
	mov	esi, offset in
	mov	edx, IN_SIZE
	xor	r10d, r10d
	xor	r8d, r8d
	xor	r9d, r9d
	sys	recvfrom
	test	rax, rax
	jg	2b
	jz	connection_close
	cmp	eax, -EINTR
	je	2b
	cmp	eax, -EAGAIN
	jne	connection_close
	and	dword ptr [rbx + C_FLAGS], ~READABLE
3:	ret

/* connection_close: rbx, r12d. Destroys all scratch registers. */
proc connection_close
	mov	rax, [rbx + C_HELD]
	test	rax, rax
	jz	1f
	call	block_free
1:	mov	rax, [rbx + C_OUT]
	test	rax, rax
	jz	2f
	call	block_free
2:	cmp	dword ptr [rbx + C_FILE], -1
	je	3f
	call	file_let_go
3:	and	dword ptr [rbx + C_FLAGS], QUEUED
	dec	dword ptr [w_count]
	mov	edi, r12d			/* epoll forgets what is closed */
	sys	close
	cmp	byte ptr [paused], 0
	jne	listener_watch			/* there is room for one more now */
	ret
endproc connection_close
