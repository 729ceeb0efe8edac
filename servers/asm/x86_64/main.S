/* SPDX-License-Identifier: MIT */
/*
 * asm: an HTTP/1.1 file server in assembly, the x86-64 half. Linux 4.5 or newer; openat2 (5.6) is used where it exists.
 *
 * The main process reads the arguments, opens one listener for each worker, forks the workers and waits for a signal. SIGTERM or SIGINT:
 * it closes the writing end of a pipe that all workers watch (which the kernel also does when it is killed), they finish what
 * is under way (3 s at most), and it ends with 0. A worker that ends by itself is a fault, and ends all with 1.
 *
 * Registers: rbx the worker's number here.
 */
#include "layout.inc"
#include "syscalls.inc"

	.equ	STOP_SIGNALS, 1 << (SIGTERM - 1) | 1 << (SIGINT - 1)
	.equ	CHILD_SIGNAL, 1 << (SIGCHLD - 1)
	.equ	PATIENCE_S, 4			/* workers need 3 at most */

	own	workers, WORKERS_MAX*4, 4	/* process ids, 0 once it has ended */
	own	alive, 4, 4
	own	pipe, 8				/* reading end, writing end */
	own	limit, 16
	own	signals, 8
	own	action, 32			/* the kernel's struct sigaction */
	own	wait_status, 4, 4
	own	until, 16			/* struct timespec: workers that still run then are stuck */
	own	left, 16

	.text
	.globl	_start
	.type	_start, @function
_start:
	cld
	lea	rdi, [rsp + 8]
	call	options_parse
	call	endpoint_parse
	jne	.Lbad_address

	/* As many descriptors as the system allows and as there are slots. */
	xor	edi, edi
	mov	esi, RLIMIT_NOFILE
	xor	edx, edx
	mov	r10d, offset limit
	sys	prlimit64
	mov	rax, [limit + 8]
	mov	ecx, SLOTS
	cmp	rax, rcx
	cmova	rax, rcx
	mov	[limit], rax
	xor	edi, edi
	mov	esi, RLIMIT_NOFILE
	mov	edx, offset limit
	xor	r10d, r10d
	sys	prlimit64
	/* An eighth of them, or as many as the cache has places, is kept for files: with all gone to clients nobody could be served. */
	mov	rax, [limit]
	mov	ecx, CACHE_SETS * CACHE_WAYS
	mov	edx, eax
	shr	edx, 3
	cmp	edx, ecx
	cmova	edx, ecx
	sub	eax, edx
	sub	eax, OWN_DESCRIPTORS
	mov	ecx, 1
	cmovle	eax, ecx
	mov	[connections_max], eax

	/* Blocked before the workers exist, so that they inherit it and only rt_sigtimedwait below sees them. */
	mov	qword ptr [signals], STOP_SIGNALS | CHILD_SIGNAL
	mov	edi, SIG_BLOCK
	mov	esi, offset signals
	xor	edx, edx
	mov	r10d, 8
	sys	rt_sigprocmask
	mov	qword ptr [action], SIG_IGN	/* sendfile has no MSG_NOSIGNAL */
	mov	edi, SIGPIPE
	mov	esi, offset action
	xor	edx, edx
	mov	r10d, 8
	sys	rt_sigaction

	mov	edi, AT_FDCWD
	mov	rsi, [option_root]
	mov	edx, O_DIRECTORY | O_CLOEXEC
	xor	r10d, r10d
	sys	openat
	mov	[root], eax
	test	eax, eax
	js	.Lbad_root
	call	listeners_open
	js	.Lcannot_listen
	mov	edi, offset pipe
	mov	esi, O_CLOEXEC
	sys	pipe2
	test	eax, eax
	js	.Lcannot_start

	xor	ebx, ebx
1:	mov	edi, SIGCHLD			/* a fork: no stack, nothing shared */
	xor	esi, esi
	xor	edx, edx
	xor	r10d, r10d
	xor	r8d, r8d
	sys	clone
	test	eax, eax
	js	.Lcannot_start
	jz	.Lworker
	mov	[workers + rbx * 4], eax
	inc	ebx
	mov	[alive], ebx
	cmp	ebx, [option_workers]
	jb	1b
	call	listeners_close
	mov	edi, [pipe]
	sys	close

	mov	esi, offset listening
	call	where
	mov	esi, offset with
	call	line_text
	mov	rax, [option_workers]
	call	line_number
	mov	esi, offset workers_text
	call	line_text
	mov	edi, 2
	call	line_send

.Lwait:
	xor	edx, edx
	call	wait_signal
	cmp	eax, SIGCHLD
	jne	.Lstop
	call	reap
	test	eax, eax
	jle	.Lwait
	mov	esi, offset worker_died
	call	line_text
	movzx	eax, word ptr [wait_status]
	call	line_number
	mov	edi, 2
	call	line_send
	mov	ebp, 1
	jmp	.Lstop_all
.Lstop:
	cmp	eax, SIGTERM
	je	2f
	cmp	eax, SIGINT
	jne	.Lwait				/* interrupted */
2:	xor	ebp, ebp

	/* ebp the status to end with */
.Lstop_all:
	mov	edi, [pipe + 4]
	sys	close
	mov	qword ptr [signals], CHILD_SIGNAL
	mov	esi, offset until
	call	monotonic
	add	qword ptr [until], PATIENCE_S
3:	call	reap
	cmp	dword ptr [alive], 0
	je	.Lexit
	test	eax, eax
	jg	3b
	mov	esi, offset left
	call	monotonic
	mov	rax, [until]
	mov	rcx, [until + 8]
	sub	rax, [left]
	sub	rcx, [left + 8]
	jns	4f
	add	rcx, 1000000000
	dec	rax
4:	test	rax, rax
	js	5f
	mov	[left], rax
	mov	[left + 8], rcx
	mov	edx, offset left
	call	wait_signal
	jmp	3b
	/* Stuck, in a read from a disk that does not respond for example. */
5:	mov	r12d, offset workers
6:	mov	edi, [r12]
	test	edi, edi
	jz	7f
	mov	esi, SIGKILL
	sys	kill
7:	add	r12, 4
	cmp	r12, offset workers + WORKERS_MAX * 4
	jb	6b
.Lexit:
	mov	edi, ebp
	sys	exit_group

.Lworker:					/* rbx its number: the other listeners are not its business */
	mov	eax, [listeners + rbx * 4]
	push	rax
	mov	dword ptr [listeners + rbx * 4], -1
	call	listeners_close
	mov	edi, [pipe + 4]
	sys	close
	pop	rdi
	mov	esi, [pipe]
	jmp	worker_run

listeners_close:
	mov	r12d, offset listeners
1:	mov	edi, [r12]
	sys	close				/* -1 is refused, and no harm is done */
	add	r12, 4
	mov	eax, [option_workers]
	lea	rax, [listeners + rax * 4]
	cmp	r12, rax
	jb	1b
	ret

/* rsi a struct timespec */
monotonic:
	mov	edi, CLOCK_MONOTONIC
	sys	clock_gettime
	ret

/* rdx how long, 0 for ever -> eax the signal or a negated errno. */
wait_signal:
	mov	edi, offset signals
	xor	esi, esi
	mov	r10d, 8
	sys	rt_sigtimedwait
	ret

/* -> eax the worker that has ended, 0 none. Destroys rcx. */
reap:
	mov	edi, -1
	mov	esi, offset wait_status
	mov	edx, WNOHANG
	xor	r10d, r10d
	sys	wait4
	test	eax, eax
	jle	3f
	mov	ecx, offset workers
1:	cmp	[rcx], eax
	je	2f
	add	rcx, 4
	cmp	rcx, offset workers + WORKERS_MAX * 4
	jb	1b
	ret
2:	mov	dword ptr [rcx], 0
	dec	dword ptr [alive]
3:	ret

/* rsi a text; the line becomes that and where this server listens. */
where:
	call	line_text
	mov	rsi, [option_address]
	call	line_text
	mov	esi, offset port_text
	call	line_text
	call	endpoint_port
	jmp	line_number

.Lbad_address:
	mov	esi, offset address_text
	call	line_text
	mov	rsi, [option_address]
	call	line_text
	mov	esi, offset not_numeric
	call	line_text
	mov	ebp, 2
	jmp	.Lfail
.Lbad_root:
	push	rax
	mov	esi, offset cannot_open
	call	line_text
	mov	rsi, [option_root]
	jmp	1f
.Lcannot_listen:
	push	rax
	mov	esi, offset cannot_listen
	call	where
	jmp	2f
.Lcannot_start:					/* workers that are there already end with the pipe */
	push	rax
	mov	esi, offset cannot_start
1:	call	line_text
2:	pop	rax
	call	line_error
	mov	ebp, 1
.Lfail:
	mov	edi, 2
	call	line_send
	jmp	.Lexit
	.size	_start, . - _start

	.section .rodata
listening:
	.asciz	"asm: listening on "
port_text:
	.asciz	" port "
with:
	.asciz	" with "
workers_text:
	.asciz	" workers"
worker_died:
	.asciz	"asm: a worker ended by itself, and all end with it; its wait status was "
address_text:
	.asciz	"asm: --address "
not_numeric:
	.asciz	" is not a numeric IPv4 or IPv6 address"
cannot_open:
	.asciz	"asm: cannot open the root "
cannot_listen:
	.asciz	"asm: cannot listen on "
cannot_start:
	.asciz	"asm: cannot start a worker"
