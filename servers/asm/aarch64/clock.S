/* SPDX-License-Identifier: MIT */
/*
 * The time, once a turn of the loop and without a system call in most of them: the processor's counter (readable on every Linux)
 * says whether 1/32 s has gone by, and only then the kernel is asked. No request pays for the time.
 */
#include "syscalls.inc"
#include "layout.inc"

/* clock_start: x28 the worker. Destroys x0-x17. */
proc clock_start
	mrs	x0, cntfrq_el0
	lsr	x0, x0, #5			/* a counter whose speed is not known (0) is refreshed in each turn */
	str	x0, [x28, #W_COUNTER_SPAN]
	mov	x0, #-1
	str	x0, [x28, #W_SECOND]
	mrs	x0, cntvct_el0
	b	refresh
endproc clock_start

/* clock_tick: x28 the worker. Destroys x0-x17. */
proc clock_tick
	mrs	x0, cntvct_el0
	ldp	x1, x2, [x28, #W_COUNTER]
	sub	x1, x0, x1
	cmp	x1, x2
	b.hs	refresh
	ret
endproc clock_tick

refresh:
	str	x0, [x28, #W_COUNTER]
	sub	sp, sp, #16
	mov	x0, #CLOCK_MONOTONIC_COARSE
	mov	x1, sp
	sys	clock_gettime
	ldp	x0, x1, [sp]
	mov	x2, #1000
	mul	x0, x0, x2
	ldr	x2, =1000000
	udiv	x1, x1, x2
	add	x0, x0, x1
	str	x0, [x28, #W_NOW_MS]
	mov	x0, #CLOCK_REALTIME_COARSE
	mov	x1, sp
	sys	clock_gettime
	ldr	x0, [sp], #16
	ldr	x1, [x28, #W_SECOND]
	cmp	x0, x1
	b.ne	1f
	ret
1:	str	x0, [x28, #W_SECOND]

/*
 * x0 seconds since 1970 -> the Date line. The year begins in March here, so that the day that comes and goes is its last
 * and the months before it have lengths that (153 m + 2) / 5 gives.
 */
	ldr	x1, =86400
	udiv	x2, x0, x1			/* x2 days */
	msub	x3, x2, x1, x0			/* x3 second of the day */
	add	x4, x2, #4			/* 1970 began on a Thursday */
	mov	x1, #7
	udiv	x5, x4, x1
	msub	x4, x5, x1, x4			/* x4 weekday, 0 Sunday */
	ldr	x1, =719468			/* days from 1 March of year 0 */
	add	x2, x2, x1
	ldr	x1, =146097			/* days of 400 years */
	udiv	x5, x2, x1			/* x5 era */
	msub	x2, x5, x1, x2			/* x2 day of the era */
	mov	x1, #1460
	udiv	x6, x2, x1
	sub	x7, x2, x6
	ldr	x1, =36524
	udiv	x6, x2, x1
	add	x7, x7, x6
	ldr	x1, =146096
	udiv	x6, x2, x1
	sub	x7, x7, x6
	mov	x1, #365
	udiv	x7, x7, x1			/* x7 year of the era */
	mul	x6, x7, x1
	add	x6, x6, x7, lsr #2
	mov	x1, #100
	udiv	x8, x7, x1
	sub	x6, x6, x8
	sub	x2, x2, x6			/* x2 day of the year */
	mov	x1, #400
	madd	x7, x5, x1, x7			/* x7 year that began in March */
	mov	x1, #5
	mul	x5, x2, x1
	add	x5, x5, #2
	mov	x6, #153
	udiv	x5, x5, x6			/* x5 month, 0 March */
	mul	x6, x5, x6
	add	x6, x6, #2
	udiv	x6, x6, x1
	sub	x2, x2, x6
	add	x2, x2, #1			/* x2 day of the month */
	cmp	x5, #10
	cinc	x7, x7, hs			/* January and February belong to the next year */

	add	x0, x28, #W_DATE
	ldr	x1, =0x203a65746144		/* "Date: ", and two bytes to be written over */
	str	x1, [x0], #6
	address	x1, weekdays
	ldr	w1, [x1, x4, lsl #2]
	str	w1, [x0], #4
	mov	w1, #' '
	strb	w1, [x0], #1
	mov	x1, x2
	mov	w2, #' '
	mov	x9, x30
	bl	two_digits
	address	x1, months
	ldr	w1, [x1, x5, lsl #2]
	str	w1, [x0], #4
	mov	x1, #100
	udiv	x4, x7, x1
	msub	x5, x4, x1, x7
	mov	x1, x4
	mov	w2, #'0'			/* written over by the digits that follow */
	bl	two_digits
	sub	x0, x0, #1
	mov	x1, x5
	mov	w2, #' '
	bl	two_digits
	mov	x1, #3600
	udiv	x4, x3, x1
	msub	x3, x4, x1, x3
	mov	x1, x4
	mov	w2, #':'
	bl	two_digits
	mov	x1, #60
	udiv	x4, x3, x1
	msub	x3, x4, x1, x3
	mov	x1, x4
	bl	two_digits
	mov	x1, x3
	mov	w2, #' '
	bl	two_digits
	ldr	x1, =0x0a0d0a0d544d47		/* "GMT", the line's end and that of a head without a Connection line */
	str	x1, [x0]
	ret	x9

/* x0 to, x1 0 to 99, w2 what stands behind -> x0 behind all three. Destroys x1, x6, x8. */
two_digits:
	mov	x6, #10
	udiv	x8, x1, x6
	msub	x1, x8, x6, x1
	add	w8, w8, #'0'
	add	w1, w1, #'0'
	strb	w8, [x0], #1
	strb	w1, [x0], #1
	strb	w2, [x0], #1
	ret

	.section .rodata
weekdays:
	.ascii	"Sun,Mon,Tue,Wed,Thu,Fri,Sat,"
months:
	.ascii	"Mar Apr May Jun Jul Aug Sep Oct Nov Dec Jan Feb "
