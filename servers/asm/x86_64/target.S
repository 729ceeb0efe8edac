/* SPDX-License-Identifier: MIT */
/*
 * From a request target to a path below the root: decoded once, without `.` and `..`, without a leading slash.
 *
 * Registers:  rsi  the byte under way, rdi the target's end (both in the input, with SLACK behind it)
 *             r8   the end of the path so far, r9 where its last segment begins
 */
#include "layout.inc"
#include "syscalls.inc"

	shared	path, PATH_LIMIT+SLACK, 64
	shared	path_hash, 8

/*
 * target_path: the request's target -> rax the length of `path`, or a negated status. The path ends with a zero, and with zeros up
 * to a multiple of eight, so that it is hashed, compared and copied in words. Destroys all scratch registers.
 */
proc target_path
	mov	rsi, [req_target]
	mov	rdi, [req_target_len]
	add	rdi, rsi
	cmp	byte ptr [rsi], '/'
	jne	.Labsolute
.Lslash_first:
	inc	rsi
	mov	r8d, offset path
	mov	r9d, offset path
	movdqa	xmm3, [percents]
	movdqa	xmm4, [slashes]
	movdqa	xmm5, [question_marks]
	movdqa	xmm6, [fragments]

	/* What means itself goes 16 bytes at a time. */
.Lplain:
	movdqu	xmm0, [rsi]
	movdqu	[r8], xmm0
	movdqa	xmm1, xmm0
	movdqa	xmm2, xmm0
	movdqa	xmm7, xmm0
	pcmpeqb	xmm0, xmm3
	pcmpeqb	xmm1, xmm4
	pcmpeqb	xmm2, xmm5
	pcmpeqb	xmm7, xmm6
	por	xmm0, xmm1
	por	xmm2, xmm7
	por	xmm0, xmm2
	pmovmskb eax, xmm0
	or	eax, 0x10000
	bsf	eax, eax
	mov	rcx, rdi
	sub	rcx, rsi
	cmp	rax, rcx
	cmova	rax, rcx
	add	rsi, rax
	add	r8, rax
	cmp	r8, offset path + PATH_LIMIT
	jae	.Ltoo_long
	cmp	rsi, rdi
	jae	.Lend
	movzx	eax, byte ptr [rsi]
	cmp	al, '/'
	je	.Lslash
	cmp	al, '%'
	je	.Lpercent
	cmp	al, '?'
	je	.Lend
	cmp	al, '#'				/* no client should send it, some do */
	jne	.Lplain

.Lend:
	call	bad_segment
	je	.Lbad
	xor	eax, eax
	mov	[r8], rax
	mov	rax, r8
	sub	rax, offset path

	/* A product spreads each word over the upper half, a shift brings it back down. */
	movabs	rdx, 0x9e3779b97f4a7c15
	mov	rcx, rax
	mov	esi, offset path
1:	xor	rcx, [rsi]
	imul	rcx, rdx
	mov	rdi, rcx
	shr	rdi, 32
	xor	rcx, rdi
	add	rsi, 8
	cmp	rsi, r8
	jb	1b
	mov	[path_hash], rcx
	ret

	/* The segments are looked at after decoding, so that %2e%2e and ..%2f are what they mean. */
.Lslash:
	inc	rsi
.Ldecoded_slash:
	call	bad_segment
	je	.Lbad
	cmp	r8, r9
	je	.Lplain				/* a doubled one, or a second one at the beginning: the path must never be absolute */
	mov	byte ptr [r8], '/'
	inc	r8
	mov	r9, r8
	jmp	.Lplain

.Lpercent:
	mov	rcx, rdi
	sub	rcx, rsi
	cmp	rcx, 3
	jb	.Lbad
	movzx	eax, byte ptr [rsi + 1]
	movzx	ecx, byte ptr [rsi + 2]
	movzx	eax, byte ptr [digits + rax]
	movzx	ecx, byte ptr [digits + rcx]
	shl	eax, 4
	or	eax, ecx
	cmp	eax, 0xff			/* no digit is 0xff: what it becomes has bits above a byte's, or all of a byte's low ones */
	ja	.Lbad
	test	eax, eax
	jz	.Lbad
	cmp	ecx, 15
	ja	.Lbad
	add	rsi, 3
	cmp	al, '/'
	je	.Ldecoded_slash
	mov	[r8], al
	inc	r8
	jmp	.Lplain

	/* http://host/path; the host is not looked at. */
.Labsolute:
	mov	rcx, rdi
	sub	rcx, rsi
	cmp	rcx, 7
	jbe	.Lbad
	mov	eax, [rsi]
	or	eax, 0x20202020
	cmp	eax, 0x70747468			/* "http" */
	jne	.Lbad
	cmp	word ptr [rsi + 4], 0x2f3a	/* ":/" */
	jne	.Lbad
	cmp	byte ptr [rsi + 6], '/'
	jne	.Lbad
	add	rsi, 7
2:	mov	al, [rsi]
	cmp	al, '/'
	je	.Lslash_first
	cmp	al, '?'
	je	.Lno_path
	inc	rsi
	cmp	rsi, rdi
	jb	2b
.Lno_path:
	mov	rax, -404			/* the root itself */
	ret
.Lbad:
	mov	rax, -400
	ret
.Ltoo_long:
	mov	rax, -414
	ret
endproc target_path

/* bad_segment: from r9 to r8 -> flags: equal when it is `.` or `..`. Destroys rax. */
bad_segment:
	mov	rax, r8
	sub	rax, r9
	cmp	rax, 1
	je	1f
	cmp	rax, 2
	jne	2f
	cmp	word ptr [r9], 0x2e2e		/* ".." */
	ret
1:	cmp	byte ptr [r9], '.'
2:	ret

	.section .rodata
	.balign	16
percents:
	.fill	16, 1, '%'
slashes:
	.fill	16, 1, '/'
question_marks:
	.fill	16, 1, '?'
fragments:
	.fill	16, 1, '#'

digits:						/* a hexadecimal digit's value, 0xff for everything else */
	.fill	'0', 1, 0xff
	.byte	0, 1, 2, 3, 4, 5, 6, 7, 8, 9
	.fill	'A' - '9' - 1, 1, 0xff
	.byte	10, 11, 12, 13, 14, 15
	.fill	'a' - 'F' - 1, 1, 0xff
	.byte	10, 11, 12, 13, 14, 15
	.fill	255 - 'f', 1, 0xff
