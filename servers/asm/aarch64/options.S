/* SPDX-License-Identifier: MIT */
/*
 * The command line. Registers: x19 the next argument, x20 the option's name, x21 its value.
 */
#include "syscalls.inc"
#include "layout.inc"

	.data
	.balign	8
	.global	option_address, option_root, option_port, option_workers, option_nopush
	.hidden	option_address, option_root, option_port, option_workers, option_nopush
option_address:
	.quad	default_address
option_root:
	.quad	0
option_port:
	.quad	8080
option_workers:
	.quad	2
option_nopush:
	.quad	1

/* options_parse: x0 argc, x1 argv; ends the process where the command line is wrong. Destroys x0-x8. */
proc options_parse
	push	x19, x30
	push	x20, x21
	add	x19, x1, #8
1:	ldr	x20, [x19], #8
	cbz	x20, 3f
	mov	x0, x20
	address	x1, name_help
	bl	text_same
	cbnz	x0, help
	ldr	x21, [x19], #8
	address	x0, value_missing
	cbz	x21, wrong
	mov	x0, x20
	address	x1, name_address
	bl	text_same
	address	x2, option_address
	cbnz	x0, 2f
	mov	x0, x20
	address	x1, name_root
	bl	text_same
	address	x2, option_root
	cbnz	x0, 2f
	mov	x0, x20
	address	x1, name_port
	bl	text_same
	address	x2, option_port
	mov	x3, #0
	mov	w4, #65535
	cbnz	x0, number
	mov	x0, x20
	address	x1, name_workers
	bl	text_same
	address	x2, option_workers
	mov	x3, #1
	mov	w4, #WORKERS_MAX
	cbnz	x0, number
	mov	x0, x20
	address	x1, name_nopush
	bl	text_same
	address	x2, option_nopush
	mov	x3, #0
	mov	w4, #1
	cbnz	x0, number
	address	x0, option_unknown
	b	wrong
2:	str	x21, [x2]
	b	1b

/* x21 text, x2 where its number goes, x3 smallest, x4 largest */
number:
	mov	x5, #0
	mov	x6, #10
4:	ldrb	w7, [x21], #1
	sub	w8, w7, #'0'
	cmp	w8, #9
	b.hi	5f
	madd	x5, x5, x6, x8
	cmp	x5, x4
	b.ls	4b
	b	6f
5:	cbnz	w7, 6f
	ldrb	w7, [x21, #-2]
	cbz	w7, 6f				/* nothing at all */
	cmp	x5, x3
	b.lo	6f
	str	x5, [x2]
	b	1b
6:	push	x3, x4
	address	x0, asm_colon
	bl	line_text
	mov	x0, x20
	bl	line_text
	address	x0, takes_number
	bl	line_text
	ldr	x0, [sp]
	bl	line_number
	address	x0, up_to
	bl	line_text
	ldr	x0, [sp, #8]
	bl	line_number
	b	usage_line

3:	address	x1, option_root
	ldr	x1, [x1]
	address	x0, root_missing
	mov	x20, #0
	cbz	x1, wrong
	pop	x20, x21
	pop	x19, x30
	ret

/* x0 what is wrong, x20 the name that it is about or 0 */
wrong:	mov	x19, x0
	address	x0, asm_colon
	bl	line_text
	mov	x0, x19
	bl	line_text
	cbz	x20, usage_line
	mov	x0, x20
	bl	line_text
usage_line:
	bl	line_send
	address	x0, usage
	bl	line_text
	bl	line_send
	mov	x0, #2
	sys	exit_group

help:	mov	x0, #1
	address	x1, usage
	mov	x2, #USAGE
	sys	write
	mov	x0, #0
	sys	exit_group
endproc options_parse

	.section .rodata
default_address:
	.asciz	"127.0.0.1"
name_help:
	.asciz	"--help"
name_address:
	.asciz	"--address"
name_root:
	.asciz	"--root"
name_port:
	.asciz	"--port"
name_workers:
	.asciz	"--workers"
name_nopush:
	.asciz	"--nopush"
asm_colon:
	.asciz	"asm: "
value_missing:
	.asciz	"a value is missing after "
option_unknown:
	.asciz	"unknown option "
takes_number:
	.asciz	" takes a number from "
up_to:
	.asciz	" to "
root_missing:
	.asciz	"--root is needed: the folder whose files are served"
usage:
	.ascii	"usage: asm --root DIR [--address 127.0.0.1] [--port 8080] [--workers 2] [--nopush 1]"
	.equ	USAGE, . - usage + 1
	.asciz	""
