/* SPDX-License-Identifier: MIT */
/*
 * The headers that mean something beside Host: Connection, Content-Length, Transfer-Encoding, Expect. Browsers send one of them, load
 * tools none.
 *
 * Names are compared in lower case, made by setting bit 5 of each byte: no byte that may stand in a name becomes another one's
 * lower case by that.
 */
#include "layout.inc"
#include "syscalls.inc"

	.equ	LOWER4, 0x20202020

	/* 64-bit immediates exist in one instruction only. */
	.macro	same8 place, text
	movabs	rax, \text
	xor	rax, \place
	.endm

/*
 * header_known: a header whose name is 6, 10, 14 or 17 bytes long. In: rdi and ecx the name, eax its first four bytes in lower case,
 * r10 to rsi the value, r8d the R_ flags so far -> r8d, and the carry flag when the request must be refused.
 * Destroys rax, rcx, rdx, rsi, rdi, r10, r11. Keeps r9.
 */
proc header_known
	/* Blanks at the value's end go first. */
.Ltrim:
	cmp	rsi, r10
	jbe	1f
	mov	dl, [rsi - 1]
	cmp	dl, ' '
	je	2f
	cmp	dl, '\t'
	jne	1f
2:	dec	rsi
	jmp	.Ltrim
1:	mov	rdx, [rdi]
	movabs	r11, 0x2020202020202020
	or	rdx, r11
	cmp	ecx, 10
	jb	.Lexpect
	je	.Lconnection
	cmp	ecx, 14
	je	.Llength
	same8	rdx, 0x726566736e617274		/* "transfer" */
	jnz	.Lfine
	mov	rdx, [rdi + 8]
	or	rdx, r11
	same8	rdx, 0x6e69646f636e652d		/* "-encodin" */
	jnz	.Lfine
	mov	al, [rdi + 16]
	or	al, 0x20
	cmp	al, 'g'
	jne	.Lfine
	or	r8d, R_ENCODING | R_BODY_UNKNOWN
	jmp	.Lfine

.Lexpect:					/* the client may or may not send the body now */
	cmp	eax, 0x65707865			/* "expe" */
	jne	.Lfine
	mov	ax, [rdi + 4]
	or	ax, 0x2020
	cmp	ax, 0x7463			/* "ct" */
	jne	.Lfine
	or	r8d, R_BODY_UNKNOWN
	jmp	.Lfine

.Llength:
	same8	rdx, 0x2d746e65746e6f63		/* "content-" */
	jnz	.Lfine
	mov	rdx, [rdi + 6]
	or	rdx, r11
	same8	rdx, 0x6874676e656c2d74		/* "t-length" */
	jnz	.Lfine
	mov	rcx, rsi
	sub	rcx, r10
	jz	.Lrefuse
	cmp	rcx, 18
	ja	.Lrefuse				/* 18 digits always fit 64 bits */
	xor	edx, edx
1:	movzx	eax, byte ptr [r10]
	sub	eax, '0'
	cmp	eax, 9
	ja	.Lrefuse
	lea	rdx, [rdx + rdx * 4]
	lea	rdx, [rax + rdx * 2]
	inc	r10
	cmp	r10, rsi
	jb	1b
	test	r8d, R_LENGTH
	jz	2f
	cmp	rdx, [req_body_len]
	jne	.Lrefuse
2:	mov	[req_body_len], rdx
	or	r8d, R_LENGTH
	jmp	.Lfine

.Lconnection:
	same8	rdx, 0x697463656e6e6f63		/* "connecti" */
	jnz	.Lfine
	mov	ax, [rdi + 8]
	or	ax, 0x2020
	cmp	ax, 0x6e6f			/* "on" */
	jne	.Lfine
	/* r10 the list's next byte, rsi its end, rdi where the item begins, rdx behind its last byte that is no blank */
.Litem:
	cmp	r10, rsi
	jae	.Lfine
	mov	al, [r10]
	inc	r10
	cmp	al, ' '
	je	.Litem
	cmp	al, '\t'
	je	.Litem
	cmp	al, ','
	je	.Litem
	lea	rdi, [r10 - 1]
	mov	rdx, r10
3:	cmp	r10, rsi
	jae	4f
	mov	al, [r10]
	inc	r10
	cmp	al, ','
	je	4f
	cmp	al, ' '
	je	3b
	cmp	al, '\t'
	je	3b
	mov	rdx, r10
	jmp	3b
4:	sub	rdx, rdi
	cmp	edx, 5
	je	5f
	cmp	edx, 10
	jne	.Litem
	mov	rdx, [rdi]
	or	rdx, r11
	same8	rdx, 0x696c612d7065656b		/* "keep-ali" */
	jnz	.Litem
	mov	ax, [rdi + 8]
	or	ax, 0x2020
	cmp	ax, 0x6576			/* "ve" */
	jne	.Litem
	or	r8d, R_SAID_KEEP
	jmp	.Litem
5:	mov	eax, [rdi]
	or	eax, LOWER4
	cmp	eax, 0x736f6c63			/* "clos" */
	jne	.Litem
	mov	al, [rdi + 4]
	or	al, 0x20
	cmp	al, 'e'
	jne	.Litem
	or	r8d, R_SAID_CLOSE
	jmp	.Litem

.Lfine:
	clc
	ret
.Lrefuse:
	stc
	ret
endproc header_known
