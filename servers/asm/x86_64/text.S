/* SPDX-License-Identifier: MIT */
/*
 * Numbers and short texts, and lines for stderr. Nothing here is on the way of a request.
 */
#include "layout.inc"
#include "syscalls.inc"

	.equ	LINE_MAX, 1000

	/* A line is put together here, so that it leaves in one write and lines of processes do not mix. */
	own	line, 1024, 16
	own	line_used, 8

/* text_same: rdi, rsi texts that end with a zero -> flags: equal when they are the same. Destroys rax, rdi, rsi. */
proc text_same
1:	mov	al, [rsi]
	cmp	al, [rdi]
	jne	2f
	inc	rsi
	inc	rdi
	test	al, al
	jnz	1b
2:	ret
endproc text_same

/* decimal: rdi to, rax number -> rdi behind the last digit. Destroys rax, rcx, rdx, rsi. */
proc decimal
	sub	rsp, 32
	lea	rsi, [rsp + 32]
	mov	ecx, 10
1:	xor	edx, edx
	div	rcx
	add	dl, '0'
	dec	rsi
	mov	[rsi], dl
	test	rax, rax
	jnz	1b
	lea	rcx, [rsp + 32]
	sub	rcx, rsi
	rep movsb
	add	rsp, 32
	ret
endproc decimal

/* line_text: rsi text that ends with a zero; what does not fit is left out. Destroys rax, rcx, rsi. */
proc line_text
	mov	rcx, [line_used]
1:	mov	al, [rsi]
	test	al, al
	jz	2f
	cmp	rcx, LINE_MAX
	jae	2f
	mov	[line + rcx], al
	inc	rsi
	inc	rcx
	jmp	1b
2:	mov	[line_used], rcx
	ret
endproc line_text

/* line_number: rax number. Destroys rax, rcx, rdx, rsi, rdi. */
proc line_number
	mov	rdi, [line_used]
	cmp	rdi, LINE_MAX - 20
	ja	1f
	add	rdi, offset line
	call	decimal
	sub	rdi, offset line
	mov	[line_used], rdi
1:	ret
endproc line_number

/* line_error: eax a negated errno; ": " and what it means. Destroys rax, rcx, rdx, rsi, rdi. */
proc line_error
	neg	eax
	push	rax
	mov	esi, offset colon
	call	line_text
	mov	edi, offset errors
1:	mov	ecx, [rdi]
	test	ecx, ecx
	jz	2f
	cmp	ecx, [rsp]
	je	3f
	add	rdi, 16
	jmp	1b
2:	mov	esi, offset unknown_error
	call	line_text
	pop	rax
	jmp	line_number
3:	mov	rsi, [rdi + 8]
	call	line_text
	pop	rax
	ret
endproc line_error

/* line_send: edi descriptor; the line and its end are written. */
proc line_send
	mov	esi, offset line
	mov	rdx, [line_used]
	mov	qword ptr [line_used], 0
	mov	byte ptr [rsi + rdx], '\n'
	inc	rdx
	sys	write
	ret
endproc line_send

	.section .rodata
colon:
	.asciz	": "
unknown_error:
	.asciz	"the kernel says error "

	.macro	meaning number, text
	.pushsection .rodata.text, "a"
1:	.asciz	"\text"
	.popsection
	.quad	\number, 1b
	.endm

	.balign	8
errors:
	meaning	1, "operation not permitted"
	meaning	2, "there is no such file or folder"
	meaning	11, "the resource is temporarily not available"
	meaning	12, "no memory is left"
	meaning	13, "permission denied"
	meaning	20, "it is no folder"
	meaning	23, "the system has no descriptors left"
	meaning	24, "too many open files"
	meaning	97, "this address family is not supported here"
	meaning	98, "the address is already in use"
	meaning	99, "this host does not have that address"
	.quad	0
