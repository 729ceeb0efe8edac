/* SPDX-License-Identifier: MIT */
/*
 * The command line. What is wrong is said in one sentence on stderr, and the status is 2.
 */
#include "layout.inc"
#include "syscalls.inc"

	.globl	option_address, option_root, option_port, option_workers, option_nopush
	.hidden	option_address, option_root, option_port, option_workers, option_nopush
	.data
	.balign	8
option_address:	.quad	default_address
option_root:	.quad	0
option_port:	.quad	8080
option_workers:	.quad	2
option_nopush:	.quad	1

/*
 * options_parse: rdi the arguments, a zero behind the last. Returns only when they are right.
 * Registers: r12 the argument under way, r13 its value, rbx the row of `names`
 */
proc options_parse
	lea	r12, [rdi + 8]
.Lnext:
	mov	rdi, [r12]
	test	rdi, rdi
	jz	.Lall
	mov	esi, offset help
	call	text_same
	je	.Lhelp
	mov	r13, [r12 + 8]
	test	r13, r13
	jz	.Lno_value
	mov	ebx, offset names
1:	mov	rdi, [r12]
	mov	rsi, [rbx]
	call	text_same
	je	2f
	add	rbx, 32
	cmp	rbx, offset names_end
	jb	1b
	mov	esi, offset unknown
	jmp	.Lwrong
2:	mov	rdx, [rbx + 8]
	mov	rcx, [rbx + 24]
	mov	[rdx], r13
	test	rcx, rcx
	jz	3f
	call	number
3:	add	r12, 16
	jmp	.Lnext
.Lall:
	cmp	qword ptr [option_root], 0
	je	.Lno_root
	ret

	/* rdx where it goes, [rbx + 16] the least, rcx the most */
number:
	xor	eax, eax
	mov	rsi, r13
4:	movzx	edi, byte ptr [rsi]
	sub	edi, '0'
	cmp	edi, 9
	ja	5f
	lea	rax, [rax + rax * 4]
	lea	rax, [rdi + rax * 2]
	cmp	rax, rcx
	ja	.Lrange
	inc	rsi
	jmp	4b
5:	cmp	edi, -'0'			/* it must be the zero at the end */
	jne	.Lrange
	cmp	rsi, r13
	je	.Lrange
	cmp	rax, [rbx + 16]
	jb	.Lrange
	mov	[rdx], rax
	ret

.Lrange:
	mov	esi, offset prefix
	call	line_text
	mov	rsi, [rbx]
	call	line_text
	mov	esi, offset takes
	call	line_text
	mov	rax, [rbx + 16]
	call	line_number
	mov	esi, offset up_to
	call	line_text
	mov	rax, [rbx + 24]
	call	line_number
	jmp	.Lusage
.Lno_root:
	mov	esi, offset prefix
	call	line_text
	mov	esi, offset root_needed
	call	line_text
	jmp	.Lusage
.Lno_value:
	mov	esi, offset missing
.Lwrong:
	push	rsi
	mov	esi, offset prefix
	call	line_text
	pop	rsi
	call	line_text
	mov	rsi, [r12]
	call	line_text
.Lusage:
	mov	edi, 2
	call	line_send
	mov	esi, offset usage
	call	line_text
	mov	edi, 2
	call	line_send
	mov	edi, 2
	sys	exit_group
.Lhelp:
	mov	esi, offset usage
	call	line_text
	mov	edi, 1
	call	line_send
	xor	edi, edi
	sys	exit_group
endproc options_parse

	.section .rodata
default_address:
	.asciz	"127.0.0.1"
help:
	.asciz	"--help"
prefix:
	.asciz	"asm: "
unknown:
	.asciz	"unknown option "
missing:
	.asciz	"a value is missing after "
takes:
	.asciz	" takes a number from "
up_to:
	.asciz	" to "
root_needed:
	.asciz	"--root is needed: the folder whose files are served"
usage:
	.asciz	"usage: asm --root DIR [--address 127.0.0.1] [--port 8080] [--workers 2] [--nopush 1]"

	.macro	option name, place, least=0, most=0
	.pushsection .rodata.text, "a"
1:	.asciz	"\name"
	.popsection
	.quad	1b, \place, \least, \most
	.endm

	.balign	8
names:						/* what it is called, where it goes, the range of a number */
	option	--address, option_address
	option	--root, option_root
	option	--port, option_port, 0, 65535
	option	--workers, option_workers, 1, WORKERS_MAX
	option	--nopush, option_nopush, 0, 1
names_end:
