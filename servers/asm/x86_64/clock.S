/* SPDX-License-Identifier: MIT */
/*
 * The time, once a second and not once a request: a timer that epoll watches makes `tick` go on and the Date new. Deadlines and the
 * cache's "once a second" are counted in ticks, so nothing else here ever asks for the time, and epoll_wait needs no timeout
 * (which would set up and take down a timer of the kernel at each turn).
 *
 * The timer is monotonic, so that a clock that is set does not stop it; its first tick falls on a full second of the wall clock.
 */
#include "layout.inc"
#include "syscalls.inc"

	shared	tick, 4, 4			/* seconds since the start */
	shared	second, 8			/* wall clock */
	shared	date, 32, 16
	own	timer, 4, 4
	own	now, 16				/* struct timespec */
	own	setting, 32			/* struct itimerspec */

	.equ	LATE_NS, 1000000		/* a tick that came early would show the old second */

/* clock_start -> eax the timer's descriptor, or a negated errno. Destroys all scratch registers. */
proc clock_start
	call	date_make
	mov	edi, CLOCK_MONOTONIC
	mov	esi, TFD_NONBLOCK_CLOEXEC
	sys	timerfd_create
	test	eax, eax
	js	1f
	mov	[timer], eax
	mov	qword ptr [setting], 1
	mov	ecx, 1000000000 + LATE_NS
	sub	rcx, [now + 8]
	xor	edx, edx
	cmp	rcx, 1000000000
	jb	2f
	sub	rcx, 1000000000
	inc	edx
2:	mov	[setting + 16], rdx
	mov	[setting + 24], rcx
	mov	edi, eax
	xor	esi, esi
	mov	edx, offset setting
	xor	r10d, r10d
	sys	timerfd_settime
	test	eax, eax
	js	1f
	mov	eax, [timer]
1:	ret
endproc clock_start

/* clock_tick: the timer is due. Destroys all scratch registers. */
proc clock_tick
	mov	edi, [timer]
	mov	esi, offset now
	mov	edx, 8
	sys	read
	cmp	rax, 8
	jne	1f
	mov	eax, [now]			/* more than one when the machine slept */
	add	[tick], eax
	call	date_make
	jmp	responses_date
1:	ret
endproc clock_tick

/*
 * The wall clock -> `second`, `date`. The year begins in March here, so that the day that comes and goes is its last and the months
 * before it have lengths that (153 m + 2) / 5 gives.
 * Registers: r8 second of the day, r9 weekday, r10 year, r11 month, rsi day
 */
date_make:
	mov	edi, CLOCK_REALTIME
	mov	esi, offset now
	sys	clock_gettime
	mov	rax, [now]
	mov	[second], rax
	xor	edx, edx
	mov	ecx, 86400
	div	rcx				/* rax days since 1970 */
	mov	r8d, edx
	mov	rsi, rax
	add	rax, 4				/* 1970 began on a Thursday */
	xor	edx, edx
	mov	ecx, 7
	div	rcx
	mov	r9d, edx			/* 0 Sunday */
	lea	rax, [rsi + 719468]		/* days since 1 March of year 0 */
	xor	edx, edx
	mov	ecx, 146097			/* days of 400 years */
	div	rcx
	imul	r10, rax, 400
	mov	esi, edx			/* esi day of these 400 years */
	/* the year of these 400: (day - day / 1460 + day / 36524 - day / 146096) / 365 */
	mov	edi, esi
	mov	eax, esi
	mov	ecx, 1460
	call	quotient
	sub	edi, eax
	mov	eax, esi
	mov	ecx, 36524
	call	quotient
	add	edi, eax
	mov	eax, esi
	mov	ecx, 146096
	call	quotient
	sub	edi, eax
	mov	eax, edi
	mov	ecx, 365
	call	quotient
	add	r10, rax
	/* the day of that year */
	mov	edi, eax
	imul	edx, eax, 365
	sub	esi, edx
	shr	eax, 2
	sub	esi, eax
	mov	eax, edi
	mov	ecx, 100
	call	quotient
	add	esi, eax
	/* its month, 0 March, and the day of the month */
	lea	eax, [rsi + rsi * 4 + 2]
	mov	ecx, 153
	call	quotient
	mov	r11d, eax
	imul	eax, eax, 153
	add	eax, 2
	mov	ecx, 5
	call	quotient
	sub	esi, eax
	inc	esi
	cmp	r11d, 10
	cmc
	adc	r10, 0				/* January and February belong to the next year */

	mov	edi, offset date
	mov	eax, [weekdays + r9 * 4]
	stosd
	mov	al, ' '
	stosb
	mov	eax, esi
	mov	sil, ' '
	call	two_digits
	mov	eax, [months + r11 * 4]
	stosd
	mov	rax, r10
	mov	ecx, 100
	call	quotient
	mov	r10d, edx
	call	two_digits
	dec	rdi				/* the century has nothing behind it */
	mov	eax, r10d
	call	two_digits
	mov	eax, r8d
	mov	ecx, 3600
	call	quotient
	mov	r8d, edx
	mov	sil, ':'
	call	two_digits
	mov	eax, r8d
	mov	ecx, 60
	call	quotient
	mov	r8d, edx
	call	two_digits
	mov	eax, r8d
	mov	sil, ' '
	call	two_digits
	mov	word ptr [rdi], 0x4d47		/* "GM" */
	mov	byte ptr [rdi + 2], 'T'
	ret

/* eax, ecx -> eax the quotient, edx the rest. */
quotient:
	xor	edx, edx
	div	ecx
	ret

/* rdi to, eax 0 to 99, sil what stands behind -> rdi behind all three. Destroys rax, rcx, rdx. */
two_digits:
	mov	ecx, 10
	call	quotient
	add	al, '0'
	add	dl, '0'
	mov	[rdi], al
	mov	[rdi + 1], dl
	mov	[rdi + 2], sil
	add	rdi, 3
	ret

	.section .rodata
weekdays:
	.ascii	"Sun,Mon,Tue,Wed,Thu,Fri,Sat,"
months:
	.ascii	"Mar Apr May Jun Jul Aug Sep Oct Nov Dec Jan Feb "
