/* SPDX-License-Identifier: MIT */
/*
 * Blocks of memory in powers of two, from 128 bytes to 256 KiB.
 *
 * Smaller blocks are cut from chunks and go to a list of their size when they are given back; from 32 KiB on each is
 * a mapping of its own and goes back to the kernel, so that a burst of stalled clients does not leave its mark.
 * In front of each block stand 16 bytes with its class. Behind what was asked for there is always SLACK.
 */
#include "syscalls.inc"
#include "layout.inc"

	.equ	SMALLEST_SHIFT, 7
	.equ	MAPPED_SHIFT, 15
	.equ	LARGEST_SHIFT, 18
	.equ	CHUNK, 1 << 20

	.local	lists
	.comm	lists, 8 * (LARGEST_SHIFT + 1), 16
	.local	chunk
	.comm	chunk, 16, 16		/* the next free byte, the end */

/* block_get: x0 bytes -> x0 the block, 0 when there is no memory. Destroys x1-x11. */
proc block_get
	add	x1, x0, #16 + SLACK - 1
	clz	x2, x1
	mov	x3, #64
	sub	x2, x3, x2			/* the power of two that holds it */
	cmp	x2, #SMALLEST_SHIFT
	mov	x3, #SMALLEST_SHIFT
	csel	x9, x2, x3, hi
	cmp	x9, #LARGEST_SHIFT
	b.hi	5f
	mov	x10, #1
	lsl	x10, x10, x9
	cmp	x9, #MAPPED_SHIFT
	b.hs	3f

	address	x1, lists
	ldr	x0, [x1, x9, lsl #3]
	cbz	x0, 1f
	ldr	x2, [x0]			/* a block in a list holds the next one's address */
	str	x2, [x1, x9, lsl #3]
	ret

1:	address	x11, chunk
	ldp	x0, x1, [x11]
	add	x2, x0, x10
	cmp	x2, x1
	b.ls	2f
	push	x10, x30			/* what is left of the old chunk is given up: less than 16 KiB of a MiB */
	mov	x1, #CHUNK
	bl	map
	pop	x10, x30
	cbz	x0, 5f
	add	x1, x0, #CHUNK
	str	x1, [x11, #8]
	add	x2, x0, x10
2:	str	x2, [x11]
	b	4f

3:	mov	x1, x10
	push	x9, x30
	bl	map
	pop	x9, x30
	cbz	x0, 5f
4:	str	x9, [x0], #16
	ret
5:	mov	x0, #0
	ret
endproc block_get

/* block_free: x0 a block, or 0. Destroys x0-x3, x8. */
proc block_free
	cbz	x0, 2f
	ldr	x1, [x0, #-16]
	cmp	x1, #MAPPED_SHIFT
	b.hs	1f
	address	x2, lists
	ldr	x3, [x2, x1, lsl #3]
	str	x3, [x0]
	str	x0, [x2, x1, lsl #3]
	ret
1:	sub	x0, x0, #16
	mov	x2, #1
	lsl	x1, x2, x1
	sys	munmap
2:	ret
endproc block_free

/* map: x1 bytes -> x0 zeroed memory, 0 when there is none. Pages cost nothing before they are used. Destroys x2-x5, x8. */
proc map
	mov	x0, #0
	mov	x2, #PROT_READ_WRITE
	mov	x3, #MAP_PRIVATE_ANONYMOUS_NORESERVE
	mov	x4, #-1
	mov	x5, #0
	sys	mmap
	cmn	x0, #4095
	csel	x0, xzr, x0, hs
	ret
endproc map
