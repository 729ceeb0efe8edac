/* SPDX-License-Identifier: MIT */
/*
 * Opening a file below the root. The path holds no `..` already; this also stops symbolic links that lead out of the root. Where the
 * kernel (before 5.6), qemu or a strict sandbox does not have openat2, the path is walked step by step and no link is followed at all.
 *
 * Registers: w9 the folder that was come to, w10 the root, x11 the next name, x12 behind it.
 */
#include "syscalls.inc"
#include "layout.inc"

	.equ	READ_FLAGS, O_CLOEXEC | O_NONBLOCK | O_NOCTTY	/* non-blocking: opening a FIFO must not hang */
	.equ	STEP_FLAGS, O_CLOEXEC | O_PATH | O_DIRECTORY | O_NOFOLLOW

/* open_beneath: `path`, x28 worker -> x0 descriptor or a negated errno. Destroys x1-x15. */
proc open_beneath
	ldr	w0, [x28, #W_ROOT]
	address	x1, path
	address	x2, how
	mov	x3, #24
	sys	openat2
	cmn	x0, #ENOSYS
	b.eq	1f
	cmn	x0, #EPERM
	b.eq	1f
	ret

1:	ldr	w9, [x28, #W_ROOT]		/* w9 the folder that was come to */
	mov	w10, w9
	address	x11, path			/* x11 the next name */
2:	mov	x12, x11
3:	ldrb	w13, [x12]
	cbz	w13, 5f
	cmp	w13, #'/'
	add	x12, x12, #1
	b.ne	3b
	strb	wzr, [x12, #-1]
	mov	w0, w9
	mov	x1, x11
	ldr	w2, =STEP_FLAGS
	sys	openat
	mov	w14, #'/'
	strb	w14, [x12, #-1]
	mov	x11, x12
	mov	x14, x0
	cmp	w9, w10
	b.eq	4f
	mov	w0, w9
	sys	close
4:	mov	w9, w14
	tbz	x14, #63, 2b
	mov	x0, x14
	ret
5:	mov	w0, w9
	mov	x1, x11
	ldr	w2, =READ_FLAGS | O_NOFOLLOW
	sys	openat
	mov	x14, x0
	cmp	w9, w10
	b.eq	6f
	mov	w0, w9
	sys	close
6:	mov	x0, x14
	ret
endproc open_beneath

	.section .rodata
	.balign	8
how:	.quad	READ_FLAGS, 0, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS
