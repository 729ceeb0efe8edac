/* SPDX-License-Identifier: MIT */
/*
 * Blocks of memory in powers of two, from 256 bytes to 128 KiB, for what a connection cannot use yet.
 *
 * Small blocks are cut from chunks and go to a list of their size when they are given back; from 32 KiB on each is a mapping of
 * its own and goes back to the kernel, so that a burst of stalled clients does not leave its mark.
 */
#include "layout.inc"
#include "syscalls.inc"

	.equ	SMALLEST, 8
	.equ	MAPPED, 15
	.equ	LARGEST, 17
	.equ	CHUNK, 1 << 18

	own	lists, 8*(LARGEST+1)
	own	chunk, 8		/* the next free byte */
	own	chunk_end, 8

/* block_get: rdx bytes -> rax the block, 0 when there is no memory; B_CLASS and B_LEN are set. Keeps rsi and rdx. */
proc block_get
	lea	rcx, [rdx + 15]			/* 16 for the header, 1 less so that a power of two stays one */
	bsr	rcx, rcx
	inc	ecx				/* the power of two that holds it */
	mov	eax, SMALLEST
	cmp	ecx, eax
	cmovb	ecx, eax
	cmp	ecx, LARGEST
	ja	5f
	mov	r8d, ecx
	cmp	ecx, MAPPED
	jae	3f
	mov	rax, [lists + rcx * 8]
	test	rax, rax
	jz	1f
	mov	r9, [rax]			/* a block in a list holds the next one's address */
	mov	[lists + rcx * 8], r9
	mov	[rax + B_LEN], edx
	ret

1:	mov	r9d, 1
	shl	r9, cl
	mov	rax, [chunk]
	lea	r10, [rax + r9]
	cmp	r10, [chunk_end]
	jbe	2f
	push	r9				/* what is left of the old chunk is given up: less than 16 KiB of 256 */
	mov	r9d, CHUNK
	call	map
	pop	r9
	jz	5f
	lea	r10, [rax + CHUNK]
	mov	[chunk_end], r10
	lea	r10, [rax + r9]
2:	mov	[chunk], r10
	jmp	4f

3:	mov	r9d, 1
	shl	r9, cl
	call	map
	jz	5f
4:	add	rax, 16
	mov	[rax + B_CLASS], r8d
	mov	[rax + B_LEN], edx
	ret
5:	xor	eax, eax
	ret
endproc block_get

/* block_free: rax a block. Destroys rcx, rdi, rsi, r11. */
proc block_free
	mov	ecx, [rax + B_CLASS]
	cmp	ecx, MAPPED
	jae	1f
	mov	rsi, [lists + rcx * 8]
	mov	[rax], rsi
	mov	[lists + rcx * 8], rax
	ret
1:	lea	rdi, [rax + B_CLASS]
	mov	esi, 1
	shl	rsi, cl
	sys	munmap
	ret
endproc block_free

/* map: r9 bytes -> rax zeroed memory; the zero flag says that there is none. Keeps rsi, rdx, r8. Pages cost nothing before they are used. */
map:
	push	rsi
	push	rdx
	push	r8
	mov	rsi, r9
	xor	edi, edi
	mov	edx, PROT_READ_WRITE
	mov	r10d, MAP_PRIVATE_ANONYMOUS_NORESERVE
	mov	r8, -1
	xor	r9d, r9d
	sys	mmap
	pop	r8
	pop	rdx
	pop	rsi
	xor	ecx, ecx
	cmp	rax, -4095
	cmovae	rax, rcx
	test	rax, rax
	ret
