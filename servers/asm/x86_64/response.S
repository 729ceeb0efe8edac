/* SPDX-License-Identifier: MIT */
/*
 * From requests to responses. Every response is prepared in memory, with its Date in it and its body behind it (files: cache.S), so that
 * the usual request (one, HTTP/1.1, the connection stays) is served by sending that memory as it is: nothing is put together
 * and nothing is copied. Only pipelined requests, HTTP/1.0 and a closing connection go by way of `out`.
 */
#include "layout.inc"
#include "syscalls.inc"

	shared	in, IN_SIZE+SLACK, 64
	shared	out, OUT_SIZE+SLACK, 64

/*
 * respond_all: responds to all whole requests from r13 to r14 for which there is room -> rsi, rdx the bytes to send (rdx 0: none), r13 moved
 * behind what is used up. READY is raised where more may be handled later. Destroys rbp and all scratch registers.
 */
proc respond_all
	and	dword ptr [rbx + C_FLAGS], ~READY
	mov	ebp, offset out
.Lnext:
	mov	rax, [rbx + C_SKIP]
	test	rax, rax
	jnz	.Lskip
.Lskipped:
	cmp	r13, r14
	je	.Ldone
	cmp	dword ptr [rbx + C_FILE], -1
	jne	.Lfull
	cmp	rbp, offset out + OUT_SIZE - HEAD_MAX - SMALL_FILE
	ja	.Lfull
	call	request_parse
	test	rax, rax
	jle	.Lno_request
	add	r13, rax

	mov	eax, [req_flags]
	test	eax, R_HEAD | R_REFUSED | R_UNKNOWN | R_BODY_UNKNOWN
	jnz	.Lunusual
.Lusual:
	mov	rcx, [req_body_len]
	mov	[rbx + C_SKIP], rcx
	call	target_path
	cmp	rax, 9
	je	.Lnine
.Lfile:
	test	rax, rax
	jle	.Lno_path
	call	file_get
	test	rdi, rdi
	jz	.Lrefused

.Lput:						/* rdi the response */
	mov	edx, [rdi + A_HEAD]
	mov	ecx, [rdi + A_BODY]
	mov	r8d, [req_flags]
	test	r8d, R_HEAD
	jnz	.Lhead_only
	mov	eax, [rdi + A_FD]
	cmp	eax, -1
	jne	.Llarge
.Lbody_known:
	mov	rsi, [rdi + A_TEXT]
	test	r8d, R_KEEP
	jz	.Lclose
	test	dword ptr [rbx + C_FLAGS], LAST
	jnz	.Lclose
	cmp	byte ptr [w_draining], 0
	jne	.Lclose
	test	r8d, R_HTTP10
	jnz	.Lkeep_alive
	add	edx, ecx
	cmp	r13, r14
	jne	.Lcopy
	cmp	rbp, offset out
	jne	.Lcopy
	ret

.Lcopy:
	mov	rdi, rbp
	mov	ecx, edx
	rep movsb
	mov	rbp, rdi
	jmp	.Lnext

.Lclose:
	or	dword ptr [rbx + C_FLAGS], LAST
	mov	r9d, offset close_line
	mov	r10d, offset close_line_end
	jmp	1f
.Lkeep_alive:
	mov	r9d, offset keep_alive_line
	mov	r10d, offset keep_alive_line_end
1:	mov	r8d, ecx			/* the head without its empty line, the Connection line with one, the body */
	mov	rdi, rbp
	lea	ecx, [rdx - 2]
	rep movsb
	lea	r11, [rsi + 2]
	mov	rsi, r9
	mov	rcx, r10
	sub	rcx, r9
	rep movsb
	mov	rsi, r11
	mov	ecx, r8d
	rep movsb
	mov	rbp, rdi
	test	dword ptr [rbx + C_FLAGS], LAST
	jz	.Lnext
	cmp	r13, r14
	jne	2f
	cmp	qword ptr [rbx + C_SKIP], 0
	je	.Ldone
2:	or	dword ptr [rbx + C_FLAGS], LINGER
	mov	r13, r14
.Ldone:
	mov	esi, offset out
	mov	rdx, rbp
	sub	rdx, rsi
	ret
.Lfull:
	or	dword ptr [rbx + C_FLAGS], READY
	jmp	.Ldone

.Lhead_only:
	xor	ecx, ecx
	jmp	.Lbody_known
.Llarge:
	mov	[rbx + C_FILE], eax
	shl	rax, SLOT_SHIFT
	inc	dword ptr [slots + rax + C_REFS]
	mov	qword ptr [rbx + C_FILE_POS], 0
	mov	rax, [rdi + F_SIZE]
	mov	[rbx + C_FILE_END], rax
	jmp	.Lbody_known

.Lskip:
	mov	rcx, r14
	sub	rcx, r13
	cmp	rcx, rax
	cmova	rcx, rax
	add	r13, rcx
	sub	[rbx + C_SKIP], rcx
	jmp	.Lskipped

.Lnine:
	movabs	rcx, 0x7865746e69616c70		/* "plaintex" */
	cmp	rcx, [path]
	jne	.Lfile
	cmp	byte ptr [path + 8], 't'
	jne	.Lfile
	mov	edi, offset plaintext
	jmp	.Lput

.Lunusual:
	test	eax, R_BODY_UNKNOWN
	jz	1f
	or	dword ptr [rbx + C_FLAGS], LAST | LINGER
1:	test	eax, R_REFUSED | R_UNKNOWN
	jz	.Lusual
	mov	rcx, [req_body_len]
	mov	[rbx + C_SKIP], rcx
	test	eax, R_UNKNOWN
	mov	eax, 405
	mov	ecx, 501
	cmovnz	eax, ecx
	jmp	.Lrefused
.Lno_path:
	mov	ecx, -404			/* length 0: the root itself */
	cmovz	eax, ecx
	neg	eax
.Lrefused:					/* eax the status */
	mov	edi, offset errors
1:	cmp	[rdi + A_STATUS], eax
	je	.Lput
	add	rdi, A_SIZE
	cmp	edi, offset errors_end - A_SIZE	/* the last one stands for every status that is not in the list */
	jb	1b
	jmp	.Lput

.Lno_request:
	jl	1f
	mov	rax, r14
	sub	rax, r13
	cmp	rax, REQUEST_MAX
	jb	.Ldone				/* the rest is still to come */
	mov	rax, -414
	test	dword ptr [req_flags], R_LINE
	jz	1f
	mov	rax, -431
1:	or	dword ptr [rbx + C_FLAGS], LAST | LINGER
	mov	dword ptr [req_flags], 0
	neg	eax
	jmp	.Lrefused
endproc respond_all

/* responses_date: puts the Date into every response that needs no file. Destroys rax, rcx, xmm0, xmm1. */
proc responses_date
	mov	ecx, offset plaintext
1:	mov	rax, [rcx + A_TEXT]
	add	rax, [rcx + A_DATE]
	movdqu	xmm0, [date]
	movdqu	xmm1, [date + DATE_SIZE - 16]
	movdqu	[rax], xmm0
	movdqu	[rax + DATE_SIZE - 16], xmm1
	add	ecx, A_SIZE
	cmp	ecx, offset errors_end
	jb	1b
	ret
endproc responses_date

	.section .rodata
close_line:
	.ascii	"Connection: close\r\n\r\n"
close_line_end:
keep_alive_line:
	.ascii	"Connection: keep-alive\r\n\r\n"
keep_alive_line_end:

	/* The length is written out, as the assembler cannot turn a number into text; it checks it instead. */
	.macro	fixed status, reason, length, body, extra=""
	.pushsection .data.text, "aw"
1:	.ascii	"HTTP/1.1 \status \reason\r\nServer: asm\r\nDate: "
2:	.fill	DATE_SIZE, 1, '-'
	.ascii	"\r\nContent-Type: text/plain\r\n\extra"
	.ascii	"Content-Length: \length\r\n\r\n"
3:	.ascii	"\body"
4:	.if	4b - 3b - \length
	.error	"the body of \status is not \length bytes long"
	.endif
	.popsection
	.quad	1b
	.long	3b - 1b, 4b - 3b, -1, \status
	.quad	2b - 1b
	.endm

	.data
	.balign	8
plaintext:
	fixed	200, "OK", 13, "Hello, World!"
errors:
	fixed	400, "Bad Request", 12, "Bad Request\n"
	fixed	403, "Forbidden", 10, "Forbidden\n"
	fixed	404, "Not Found", 10, "Not Found\n"
	fixed	405, "Method Not Allowed", 19, "Method Not Allowed\n", "Allow: GET, HEAD\r\n"
	fixed	414, "URI Too Long", 13, "URI Too Long\n"
	fixed	431, "Request Header Fields Too Large", 32, "Request Header Fields Too Large\n"
	fixed	501, "Not Implemented", 16, "Not Implemented\n"
	fixed	503, "Service Unavailable", 20, "Service Unavailable\n"
	fixed	505, "HTTP Version Not Supported", 27, "HTTP Version Not Supported\n"
	fixed	500, "Internal Server Error", 22, "Internal Server Error\n"
errors_end:
