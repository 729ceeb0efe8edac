/* SPDX-License-Identifier: MIT */
/*
 * One request head, parsed where it lies: nothing is copied, nothing is allocated, each byte is looked at once.
 *
 * There is no search for the end of the head beforehand: the end of each line is found while its value is passed over, 16 bytes at
 * a time, and the head ends where a line begins with CR LF. A step may look at bytes behind r14 (SLACK is readable and holds
 * anything), so whatever it finds counts only when it lies before r14.
 *
 * Registers:  rsi  the byte under way                r8d  R_ flags, stored when the parser returns
 *             rdi  where the header's name begins    r10  where its value begins, rsi where it ends
 *             ecx  the name's length                 r9   next line
 *             r13, r14 the input, unchanged
 */
#include "layout.inc"
#include "syscalls.inc"

	shared	req_target, 8
	shared	req_target_len, 8
	shared	req_body_len, 8			/* bytes that follow the head and belong to this request */
	shared	req_flags, 4, 4

	.equ	LOWER4, 0x20202020
	.equ	SPACE_HTTP_1, 0x2e312f5054544820	/* " HTTP/1." */

/* request_parse -> rax the head's length, 0 when more bytes are needed, or a negated status. Destroys all scratch registers. */
proc request_parse
	mov	rsi, r13
	xor	r8d, r8d
	mov	qword ptr [req_body_len], 0
	lea	rax, [r13 + 4]
	cmp	rax, r14
	ja	.Lodd_method
	cmp	dword ptr [rsi], 0x20544547	/* "GET " */
	jne	.Lodd_method
	add	rsi, 4

	/* The target ends at the first control character, blank or DEL. */
.Ltarget:
	mov	[req_target], rsi
	movdqa	xmm3, [blanks]
	movdqa	xmm4, [dels]
1:	movdqu	xmm0, [rsi]
	movdqa	xmm1, xmm0
	pminub	xmm1, xmm3
	pcmpeqb	xmm1, xmm0			/* byte <= blank, unsigned */
	pcmpeqb	xmm0, xmm4
	por	xmm0, xmm1
	pmovmskb eax, xmm0
	test	eax, eax
	jnz	2f
	add	rsi, 16
	cmp	rsi, r14
	jb	1b
	jmp	.Lmore
2:	bsf	eax, eax
	add	rsi, rax
	lea	rax, [rsi + 11]			/* " HTTP/1.1\r\n" */
	cmp	rax, r14
	ja	.Lshort_line
	mov	rax, rsi
	sub	rax, [req_target]
	jz	.Lbad
	mov	[req_target_len], rax
	movabs	rax, SPACE_HTTP_1
	cmp	rax, [rsi]
	jne	.Lodd_version
	movzx	eax, byte ptr [rsi + 8]
	sub	eax, '0'
	cmp	eax, 9
	ja	.Lbad
	cmp	word ptr [rsi + 9], 0x0a0d
	jne	.Lbad
	mov	ecx, R_LINE | R_KEEP
	mov	edx, R_LINE | R_HTTP10
	test	eax, eax
	cmovz	ecx, edx
	or	r8d, ecx
	add	rsi, 11

.Lheader:
	cmp	rsi, r14
	jae	.Lmore
	cmp	byte ptr [rsi], '\r'
	je	.Lend
	mov	rdi, rsi
	/* The name: letters and dashes 16 at a time, whatever else may stand in a token by the table. */
3:	movdqu	xmm0, [rsi]
	movdqa	xmm1, xmm0
	por	xmm1, [blanks]			/* lower case */
	psubb	xmm1, [letter_a]
	movdqa	xmm2, xmm1
	pminub	xmm2, [letters]
	pcmpeqb	xmm1, xmm2			/* 'a' <= byte <= 'z' */
	pcmpeqb	xmm0, [dashes]
	por	xmm0, xmm1
	pmovmskb eax, xmm0
	xor	eax, 0xffff
	jnz	4f
	add	rsi, 16
	cmp	rsi, r14
	jb	3b
	jmp	.Lmore
4:	bsf	eax, eax
	add	rsi, rax
5:	cmp	rsi, r14
	jae	.Lmore
	movzx	eax, byte ptr [rsi]
	cmp	al, ':'
	je	6f
	cmp	byte ptr [token_bytes + rax], 0
	je	.Lbad				/* also a folded line and a blank before the colon */
	inc	rsi
	jmp	5b
6:	mov	ecx, esi
	sub	ecx, edi
	jz	.Lbad
7:	inc	rsi
	movzx	eax, byte ptr [rsi]
	cmp	al, ' '
	je	7b
	cmp	al, '\t'
	je	7b
	mov	r10, rsi

	/* The value ends at the first CR, LF or NUL, of which only a CR with an LF behind it is right. */
	pxor	xmm3, xmm3
	movdqa	xmm4, [crs]
	movdqa	xmm5, [lfs]
8:	movdqu	xmm0, [rsi]
	movdqa	xmm1, xmm0
	movdqa	xmm2, xmm0
	pcmpeqb	xmm0, xmm3
	pcmpeqb	xmm1, xmm4
	pcmpeqb	xmm2, xmm5
	por	xmm0, xmm1
	por	xmm0, xmm2
	pmovmskb eax, xmm0
	test	eax, eax
	jnz	9f
	add	rsi, 16
	cmp	rsi, r14
	jb	8b
	jmp	.Lmore
9:	bsf	eax, eax
	add	rsi, rax
	lea	r9, [rsi + 2]
	cmp	r9, r14
	ja	.Lcut_line
	cmp	word ptr [rsi], 0x0a0d
	jne	.Lbad

	/* Five headers mean something here; their lengths differ. */
	cmp	ecx, 17
	ja	.Lnext
	mov	eax, 1 << 4 | 1 << 6 | 1 << 10 | 1 << 14 | 1 << 17
	bt	eax, ecx
	jnc	.Lnext
	mov	eax, [rdi]
	or	eax, LOWER4
	cmp	ecx, 4
	jne	.Lother_name
	cmp	eax, 0x74736f68			/* "host" */
	jne	.Lnext
	test	r8d, R_HOST
	jnz	.Lbad
	or	r8d, R_HOST
.Lnext:
	mov	rsi, r9
	jmp	.Lheader

.Lend:
	lea	rax, [rsi + 2]
	cmp	rax, r14
	ja	.Lmore
	cmp	byte ptr [rsi + 1], '\n'
	jne	.Lbad
	sub	rax, r13
	cmp	rax, REQUEST_MAX
	ja	.Ltoo_large
	mov	ecx, r8d
	and	ecx, R_HOST | R_HTTP10
	jz	.Lbad				/* HTTP/1.1 without Host */
	test	r8d, R_ENCODING
	jnz	.Lencoded
.Lmay_stay:
	test	r8d, R_SAID_CLOSE | R_SAID_KEEP
	jnz	.Lsaid
	mov	[req_flags], r8d
	ret
.Lsaid:
	or	r8d, R_KEEP			/* in HTTP/1.1 it is there already */
	test	r8d, R_SAID_CLOSE
	jz	1f
	and	r8d, ~R_KEEP
1:	mov	[req_flags], r8d
	ret
.Lencoded:
	/* beside a length, or in HTTP/1.0, which does not know it: whoever believed the other would see another request here */
	test	r8d, R_LENGTH | R_HTTP10
	jz	.Lmay_stay
.Lbad:
	mov	rax, -400
	jmp	.Lstop
.Ltoo_large:
	mov	rax, -431
	jmp	.Lstop
.Lcut_line:					/* the value's end is the last byte that is here, or lies behind it */
	cmp	rsi, r14
	jae	.Lmore
	cmp	byte ptr [rsi], '\r'
	jne	.Lbad
.Lmore:
	xor	eax, eax
.Lstop:
	mov	[req_flags], r8d
	ret

.Lother_name:
	call	header_known
	jnc	.Lnext
	jmp	.Lbad

.Lshort_line:					/* wait for the rest of the line, unless its end is here already */
	cmp	rsi, r14
	jae	.Lmore
	cmp	byte ptr [rsi], ' '
	jne	.Lbad
1:	cmp	byte ptr [rsi], '\n'
	je	.Lbad
	inc	rsi
	cmp	rsi, r14
	jb	1b
	jmp	.Lmore
.Lodd_version:
	movabs	rcx, 0xffffffffffff
	mov	rax, [rsi]
	and	rax, rcx
	movabs	rcx, SPACE_HTTP_1 & 0xffffffffffff
	cmp	rax, rcx
	jne	.Lbad
	movzx	eax, byte ptr [rsi + 6]
	sub	eax, '0'
	cmp	eax, 9
	ja	.Lbad
	cmp	byte ptr [rsi + 7], '.'
	jne	.Lbad
	cmp	word ptr [rsi + 9], 0x0a0d
	jne	.Lbad
	cmp	eax, 1
	je	.Lbad
	mov	rax, -505
	jmp	.Lstop

	/* A method other than GET, a stray empty line before the request (which is allowed), or fewer than four bytes. */
.Lodd_method:
	cmp	rsi, r14
	jae	.Lmore
	cmp	byte ptr [rsi], '\r'
	jne	2f
	lea	rax, [rsi + 2]
	cmp	rax, r14
	ja	.Lmore
	cmp	byte ptr [rsi + 1], '\n'
	jne	.Lbad
	mov	rsi, rax
	jmp	.Lodd_method
2:	mov	rdi, rsi
3:	cmp	rsi, r14
	jae	.Lmore
	movzx	eax, byte ptr [rsi]
	cmp	byte ptr [token_bytes + rax], 0
	je	4f
	inc	rsi
	jmp	3b
4:	cmp	al, ' '
	jne	.Lbad
	mov	rcx, rsi
	sub	rcx, rdi
	jz	.Lbad
	inc	rsi
	mov	edx, offset methods
5:	movzx	eax, byte ptr [rdx]		/* length, flag, name */
	cmp	rax, rcx
	je	7f
6:	lea	rdx, [rdx + rax + 2]
	cmp	edx, offset methods_end
	jb	5b
	or	r8d, R_UNKNOWN
	jmp	.Ltarget
7:	mov	r9, rsi
	mov	r10, rdi
	lea	rsi, [rdx + 2]
	repe cmpsb
	mov	rsi, r9
	mov	rdi, r10
	je	8f
	movzx	eax, byte ptr [rdx]
	mov	ecx, eax
	jmp	6b
8:	movzx	eax, byte ptr [rdx + 1]
	or	r8d, eax
	jmp	.Ltarget

endproc request_parse

	.section .rodata
	.macro	sixteen name, byte
	.balign	16
\name:
	.fill	16, 1, \byte
	.endm

	sixteen	blanks, 0x20
	sixteen	dels, 0x7f
	sixteen	letter_a, 'a'
	sixteen	letters, 25
	sixteen	dashes, '-'
	sixteen	crs, '\r'
	sixteen	lfs, '\n'

	.macro	method name, flag
	.byte	2f - 1f, \flag
1:	.ascii	"\name"
2:
	.endm
methods:
	method	GET, 0			/* after an empty line */
	method	HEAD, R_HEAD
	method	POST, R_REFUSED
	method	PUT, R_REFUSED
	method	DELETE, R_REFUSED
	method	OPTIONS, R_REFUSED
	method	PATCH, R_REFUSED
	method	TRACE, R_REFUSED
	method	CONNECT, R_REFUSED
methods_end:

	/* What may stand in a method or a header's name. */
	.balign	64
token_bytes:
	.fill	0x21, 1, 0
	.byte	1, 0, 1, 1, 1, 1, 1		/* !"#$%&' */
	.byte	0, 0, 1, 1, 0, 1, 1, 0		/* ()*+,-./ */
	.fill	10, 1, 1			/* digits */
	.fill	7, 1, 0				/* :;<=>?@ */
	.fill	26, 1, 1
	.byte	0, 0, 0, 1, 1, 1		/* [\]^_` */
	.fill	26, 1, 1
	.byte	0, 1, 0, 1, 0			/* {|}~ DEL */
	.fill	128, 1, 0
