/* SPDX-License-Identifier: MIT */
/*
 * Bytes and numbers: copy, length, decimal, and lines for stderr.
 *
 * Nothing here is called with memory that ends where the data ends: every buffer has SLACK behind it.
 */
#include "syscalls.inc"
#include "layout.inc"

/*
 * copy: x0 to, x1 from, x2 bytes -> x0 behind the last byte. Destroys x1, x2, x3, v0-v3.
 * Goes in steps of 16: up to 15 bytes behind both ends are read and written, and both must have room for that.
 */
proc copy
	add	x3, x0, x2
	subs	x2, x2, #64
	b.lo	2f
1:	ldp	q0, q1, [x1]
	ldp	q2, q3, [x1, #32]
	add	x1, x1, #64
	stp	q0, q1, [x0]
	stp	q2, q3, [x0, #32]
	add	x0, x0, #64
	subs	x2, x2, #64
	b.hs	1b
2:	adds	x2, x2, #64
	b.eq	4f
3:	ldr	q0, [x1], #16
	str	q0, [x0], #16
	subs	x2, x2, #16
	b.hi	3b
4:	mov	x0, x3
	ret
endproc copy

/* text_length: x0 text that ends with a zero -> x0 bytes. Destroys x1, x2. */
proc text_length
	mov	x1, x0
1:	ldrb	w2, [x1], #1
	cbnz	w2, 1b
	sub	x0, x1, x0
	sub	x0, x0, #1
	ret
endproc text_length

/* text_same: x0, x1 texts that end with a zero -> x0 1 when they are the same, else 0. Destroys x1-x3. */
proc text_same
1:	ldrb	w2, [x0], #1
	ldrb	w3, [x1], #1
	cmp	w2, w3
	b.ne	2f
	cbnz	w2, 1b
2:	cset	w0, eq
	ret
endproc text_same

/* decimal: x0 to, x1 number -> x0 behind the last digit. Destroys x1-x5. */
proc decimal
	mov	x2, #10
	sub	sp, sp, #32
	add	x3, sp, #32
1:	udiv	x4, x1, x2
	msub	x5, x4, x2, x1
	add	w5, w5, #'0'
	strb	w5, [x3, #-1]!
	mov	x1, x4
	cbnz	x1, 1b
	add	x4, sp, #32
2:	ldrb	w5, [x3], #1
	strb	w5, [x0], #1
	cmp	x3, x4
	b.lo	2b
	add	sp, sp, #32
	ret
endproc decimal

/* A line for stderr is put together here, so that it leaves in one write and lines of processes do not mix. */
	.local	line
	.comm	line, 1024 + SLACK, 16
	.local	line_used
	.comm	line_used, 8, 8

/* line_text: x0 text that ends with a zero; what does not fit is left out. Destroys x0-x5. */
proc line_text
	push	x19, x30
	mov	x19, x0
	bl	text_length
	address	x4, line_used
	ldr	x3, [x4]
	mov	x2, #1000
	sub	x2, x2, x3
	cmp	x0, x2
	csel	x2, x0, x2, lo
	address	x0, line
	add	x0, x0, x3
	add	x3, x3, x2
	str	x3, [x4]
	cbz	x2, 2f
1:	ldrb	w5, [x19], #1		/* byte by byte: arguments lie at the end of the stack, where nothing may be read behind */
	strb	w5, [x0], #1
	subs	x2, x2, #1
	b.ne	1b
2:	pop	x19, x30
	ret
endproc line_text

/* line_number: x0 number. Destroys x0-x7. */
proc line_number
	push	x29, x30
	mov	x1, x0
	address	x6, line_used
	ldr	x7, [x6]
	cmp	x7, #980
	b.hi	1f
	address	x0, line
	add	x0, x0, x7
	bl	decimal
	address	x1, line
	sub	x0, x0, x1
	str	x0, [x6]
1:	pop	x29, x30
	ret
endproc line_number

/* line_send: the line and its end go to stderr. Destroys x0-x8. */
proc line_send
	address	x1, line
	address	x3, line_used
	ldr	x2, [x3]
	str	xzr, [x3]
	mov	w4, #'\n'
	strb	w4, [x1, x2]
	add	x2, x2, #1
	mov	x0, #2
	sys	write
	ret
endproc line_send

/* line_error: x0 a negated errno; ": " and what it means. Destroys x0-x7. */
proc line_error
	push	x19, x30
	neg	x19, x0
	address	x0, colon
	bl	line_text
	address	x1, errors
1:	ldr	w2, [x1]
	cbz	w2, 2f
	cmp	w2, w19
	b.eq	3f
	add	x1, x1, #8
	b	1b
2:	address	x0, unknown_error
	bl	line_text
	mov	x0, x19
	bl	line_number
	b	4f
3:	ldrsw	x2, [x1, #4]
	add	x0, x1, x2
	bl	line_text
4:	pop	x19, x30
	ret
endproc line_error

	.section .rodata
colon:
	.asciz	": "
unknown_error:
	.asciz	"the kernel says error "

	/* errno, and how far behind this row its text lies */
	.macro	meaning number, text
	.pushsection .rodata.text, "a"
1:	.asciz	"\text"
	.popsection
2:	.word	\number
	.word	1b - 2b
	.endm

	.balign	4
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
	.word	0
