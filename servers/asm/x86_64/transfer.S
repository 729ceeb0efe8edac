/* SPDX-License-Identifier: MIT */
/*
 * Sends bytes and files, and goes on where the socket was full.
 *
 * Each function takes the connection in rbx and r12d and returns one of DONE, BLOCKED, YIELDED, FAILED in eax.
 * Registers: rsi, rdx what is still to be sent. The kernel keeps all of rdi, rsi, rdx, r10, r8, r9 across a call.
 */
#include "layout.inc"
#include "syscalls.inc"

/* send_response: rsi, rdx bytes, then the file under way if there is one. What the socket does not take is kept. */
proc send_response
	mov	ecx, 1
	call	cork
	call	send_bytes
	test	eax, eax
	jnz	1f
	cmp	dword ptr [rbx + C_FILE], -1
	jne	send_file
	ret
1:	cmp	eax, BLOCKED
	jne	2f
	call	block_get
	test	rax, rax
	jz	3f
	mov	[rbx + C_OUT], rax
	mov	dword ptr [rbx + C_OUT_POS], 0
	mov	rdi, rax
	mov	ecx, edx
	rep movsb
	mov	eax, BLOCKED
2:	ret
3:	mov	eax, FAILED
	ret
endproc send_response

/* send_pending: what was kept, then the file under way. */
proc send_pending
	mov	r8, [rbx + C_OUT]
	test	r8, r8
	jz	send_file
	mov	esi, [rbx + C_OUT_POS]
	mov	edx, [r8 + B_LEN]
	sub	edx, esi
	add	rsi, r8
	call	send_bytes
	mov	rcx, rsi
	mov	r8, [rbx + C_OUT]
	sub	rcx, r8
	mov	[rbx + C_OUT_POS], ecx
	test	eax, eax
	jnz	1f
	mov	qword ptr [rbx + C_OUT], 0
	mov	rax, r8
	call	block_free
	cmp	dword ptr [rbx + C_FILE], -1
	jne	send_file
	xor	eax, eax
1:	ret
endproc send_pending

/*
 * cork: ecx 1 from a large file's head to its last byte, then 0: meanwhile only full packets leave. A smaller file's head
 * leaves at once: it wakes the client while the file is still being put into the socket, and the client's processor takes
 * over part of that work. With --nopush 0 a large one's does so too. Destroys rax, rcx, rdi, r8, r10, r11.
 */
cork:
	cmp	dword ptr [rbx + C_FILE], -1
	je	1f
	cmp	dword ptr [option_nopush], 0
	je	1f
	cmp	qword ptr [rbx + C_FILE_END], HELD_BACK_FROM
	jb	1f
	push	rsi
	push	rdx
	push	rcx
	mov	edi, r12d
	mov	esi, IPPROTO_TCP
	mov	edx, TCP_CORK
	mov	r10, rsp
	mov	r8d, 4
	sys	setsockopt				/* a help only */
	pop	rcx
	pop	rdx
	pop	rsi
1:	ret

/* rsi, rdx bytes -> eax; rsi, rdx what is left. */
send_bytes:
	mov	edi, r12d
	mov	r10d, MSG_NOSIGNAL
	xor	r8d, r8d
	xor	r9d, r9d
1:	sys	sendto
	cmp	rax, rdx
	jne	2f
	xor	eax, eax
	ret
2:	test	rax, rax
	js	3f
	add	rsi, rax
	sub	rdx, rax
	jmp	1b
3:	cmp	eax, -EINTR
	je	1b
	cmp	eax, -EAGAIN
	mov	eax, BLOCKED
	mov	ecx, FAILED
	cmovne	eax, ecx
	ret

/*
 * send_file: the file under way, in steps as large as the socket takes them.
 *
 * A step that comes back short means that the socket is full, so no second call asks for EAGAIN (the kernel would look up 16 pages
 * for it in vain): it has noted that somebody waits for room and will say when there is some. A file that was cut off looks
 * the same; the sweep in worker.S tries once a second, gets 0 and breaks the connection, the only way to tell the client.
 */
proc send_file
	mov	edi, r12d
	mov	esi, [rbx + C_FILE]
	lea	rdx, [rbx + C_FILE_POS]
	mov	r8d, TURN_BYTES
1:	mov	r10, [rbx + C_FILE_END]
	sub	r10, [rdx]
	jz	2f
	cmp	r10, r8
	cmova	r10, r8
	test	r8, r8
	jz	4f
	sys	sendfile
	sub	r8, rax
	cmp	rax, r10
	je	1b
	test	rax, rax
	jg	5f
	jz	6f
	cmp	eax, -EAGAIN
	je	5f
	add	r8, rax				/* nothing was sent */
	cmp	eax, -EINTR
	je	1b
6:	mov	eax, FAILED
	ret
2:	xor	ecx, ecx
	call	cork
	call	file_let_go
	xor	eax, eax
	ret
4:	mov	eax, YIELDED
	ret
5:	mov	eax, BLOCKED
	ret
endproc send_file

/* file_let_go: the file under way. Destroys rax, rcx, rdi, r11. */
proc file_let_go
	mov	edi, [rbx + C_FILE]
	mov	dword ptr [rbx + C_FILE], -1
	/* fall through */

/* file_release: edi a file's descriptor, closed when this was the last reference. */
	.global	file_release
	.hidden	file_release
file_release:
	mov	eax, edi
	shl	rax, SLOT_SHIFT
	dec	dword ptr [slots + rax + C_REFS]
	jnz	1f
	sys	close
1:	ret
endproc file_let_go
