/* SPDX-License-Identifier: MIT */
/*
 * A worker's open files, found by a hash of their path. Small ones lie in memory behind a ready head, larger ones are open descriptors
 * for sendfile. An entry is compared with the file system at most once a second, and what was not found is never remembered: a new
 * file is served at once, a changed one after a second at the latest. CACHE_SETS * CACHE_WAYS places, each of a fixed size:
 * nothing is allocated, and memory that was never used costs nothing.
 *
 * A large file that is replaced while it is sent stays open until its last response is done: C_REFS in the slot of its descriptor.
 */
#include "layout.inc"
#include "syscalls.inc"

	.equ	SETTLE_S, 2
	.equ	PLACES, CACHE_SETS * CACHE_WAYS
	.equ	TYPE_SIZE, 40

	own	files, PLACES*FILE_SIZE, 64
	own	texts, PLACES*TEXT_SIZE, 64
	own	paths, PLACES*PATH_LIMIT, 64
	own	stat, STAT_SIZE, 16
	own	place, 8			/* where the file that is being opened goes; 0: not known yet */
	own	opened, 4, 4
	own	path_len, 4, 4

	/* rdi the first of the places where `path` may be. */
	.macro	first_place
	mov	edi, [path_hash]
	and	edi, CACHE_SETS - 1
	imul	edi, edi, CACHE_WAYS * FILE_SIZE
	add	rdi, offset files
	.endm

/* file_get: `path` and eax its length -> rdi the file, or 0 and eax the status. Destroys all scratch registers. */
proc file_get
	mov	r11d, eax
	mov	r8, [path_hash]
	mov	r9d, [tick]
	first_place
	lea	r10, [rdi + CACHE_WAYS * FILE_SIZE]
1:	cmp	[rdi + F_HASH], r8
	je	3f
2:	add	rdi, FILE_SIZE
	cmp	rdi, r10
	jb	1b
	mov	[path_len], r11d
	xor	edi, edi
	jmp	file_open
3:	cmp	[rdi + F_PATH_LEN], r11d
	jne	2b
	mov	rsi, [rdi + F_PATH]
	xor	ecx, ecx
4:	mov	rax, [rsi + rcx]
	cmp	rax, [path + rcx]
	jne	2b
	add	ecx, 8
	cmp	ecx, r11d
	jb	4b
	mov	[rdi + F_USED], r9d
	cmp	[rdi + F_CHECKED], r9d
	jne	5f
	ret

5:	mov	[path_len], r11d
	cmp	dword ptr [rdi + F_UNSETTLED], 0
	jne	file_open
	mov	[place], rdi
	mov	edi, [root]
	mov	esi, offset path
	mov	edx, offset stat
	xor	r10d, r10d
	sys	newfstatat
	mov	rdi, [place]
	test	eax, eax
	js	file_open
	mov	rax, [stat + ST_DEV]
	mov	rcx, [stat + ST_INO]
	mov	rdx, [stat + ST_LENGTH]
	xor	rax, [rdi + F_DEV]
	xor	rcx, [rdi + F_INO]
	xor	rdx, [rdi + F_SIZE]
	or	rax, rcx
	or	rax, rdx
	jnz	file_open
	movdqu	xmm0, [stat + ST_MTIME]
	movdqu	xmm1, [stat + ST_CTIME]
	pcmpeqb	xmm0, [rdi + F_MTIME]
	pcmpeqb	xmm1, [rdi + F_CTIME]
	pand	xmm0, xmm1
	pmovmskb eax, xmm0
	cmp	eax, 0xffff
	jne	file_open
	call	file_date
	ret
endproc file_get

/* file_date: rdi the file is fresh now, and says so in its Date. Destroys rax, rcx, xmm0, xmm1. */
file_date:
	mov	eax, [tick]
	mov	[rdi + F_CHECKED], eax
	mov	rcx, [rdi + A_TEXT]
	movdqu	xmm0, [date]
	movdqu	xmm1, [date + DATE_SIZE - 16]
	movdqu	[rcx + HEAD_DATE], xmm0
	movdqu	[rcx + HEAD_DATE + DATE_SIZE - 16], xmm1
	ret

/* file_open: `path`, rdi its old place or 0 -> as file_get. */
file_open:
	mov	[place], rdi
	call	open_beneath
	test	eax, eax
	js	.Lno_file
	mov	[opened], eax
	mov	edi, eax
	mov	esi, offset stat
	sys	fstat
	test	eax, eax
	js	.Lnot_regular
	mov	eax, [stat + ST_MODE]
	and	eax, S_IFMT
	cmp	eax, S_IFREG
	jne	.Lnot_regular

	/* A place: its old one, a free one, or that of the file that was not asked for longest. */
	mov	rdi, [place]
	test	rdi, rdi
	jnz	3f
	first_place
	mov	rsi, rdi
	lea	r10, [rdi + CACHE_WAYS * FILE_SIZE]
1:	cmp	dword ptr [rsi + F_PATH_LEN], 0
	cmove	rdi, rsi
	je	3f
	mov	eax, [tick]
	mov	ecx, eax
	sub	eax, [rsi + F_USED]
	sub	ecx, [rdi + F_USED]
	cmp	eax, ecx
	cmova	rdi, rsi
	add	rsi, FILE_SIZE
	cmp	rsi, r10
	jb	1b
3:	mov	[place], rdi
	call	file_forget
	mov	rax, rdi
	sub	rax, offset files
	shr	eax, 7				/* FILE_SIZE */
	imul	ecx, eax, TEXT_SIZE
	add	rcx, offset texts
	mov	[rdi + A_TEXT], rcx
	imul	eax, eax, PATH_LIMIT
	add	rax, offset paths
	mov	[rdi + F_PATH], rax

	mov	rax, [stat + ST_DEV]
	mov	[rdi + F_DEV], rax
	mov	rax, [stat + ST_INO]
	mov	[rdi + F_INO], rax
	mov	rax, [stat + ST_LENGTH]
	mov	[rdi + F_SIZE], rax
	movdqu	xmm0, [stat + ST_MTIME]
	movdqu	[rdi + F_MTIME], xmm0
	movdqu	xmm0, [stat + ST_CTIME]
	movdqu	[rdi + F_CTIME], xmm0
	mov	rax, [second]
	sub	rax, [stat + ST_CTIME]
	xor	ecx, ecx
	cmp	rax, SETTLE_S
	setl	cl
	mov	[rdi + F_UNSETTLED], ecx
	mov	dword ptr [rdi + A_BODY], 0
	call	head_make
	mov	rdi, [place]
	mov	eax, [opened]
	mov	[rdi + A_FD], eax
	mov	edx, [rdi + F_SIZE]
	cmp	qword ptr [rdi + F_SIZE], SMALL_FILE
	ja	4f
	mov	dword ptr [rdi + A_FD], -1
	mov	[rdi + A_BODY], edx
	mov	esi, [rdi + A_HEAD]
	add	rsi, [rdi + A_TEXT]
	call	read_whole
	mov	rdi, [place]
	jne	.Lshrunk
	jmp	5f
4:	shl	rax, SLOT_SHIFT
	mov	dword ptr [slots + rax + C_REFS], 1
5:	mov	rdx, rdi
	mov	rdi, [rdx + F_PATH]
	mov	esi, offset path
	mov	ecx, [path_len]
	mov	[rdx + F_PATH_LEN], ecx
	add	ecx, 7
	shr	ecx, 3
	rep movsq
	mov	rdi, rdx
	mov	rax, [path_hash]
	mov	[rdi + F_HASH], rax
	mov	eax, [tick]
	mov	[rdi + F_USED], eax
	jmp	file_date

.Lshrunk:					/* the next request sees its new size */
	mov	eax, 503
	xor	edi, edi
	ret
.Lnot_regular:
	mov	edi, [opened]
	sys	close
	mov	eax, 404
	jmp	6f
.Lno_file:
	mov	ecx, 503
	cmp	eax, -EMFILE
	cmove	eax, ecx
	cmp	eax, -ENFILE
	cmove	eax, ecx
	cmp	eax, -ENOMEM
	cmove	eax, ecx
	cmp	eax, -EAGAIN
	cmove	eax, ecx
	mov	ecx, 403
	cmp	eax, -EACCES
	cmove	eax, ecx
	mov	ecx, 404
	test	eax, eax
	cmovs	eax, ecx
6:	mov	rdi, [place]			/* a known file that is gone leaves; an unknown name pushes nobody out */
	push	rax
	test	rdi, rdi
	jz	7f
	call	file_forget
7:	pop	rax
	xor	edi, edi
	ret

/* rdi a place: whatever is in it leaves. Keeps rdi. Destroys rax, rcx, r11. */
file_forget:
	cmp	dword ptr [rdi + F_PATH_LEN], 0
	je	1f
	mov	dword ptr [rdi + F_PATH_LEN], 0
	cmp	dword ptr [rdi + A_FD], -1
	je	1f
	push	rdi
	mov	edi, [rdi + A_FD]
	call	file_release
	pop	rdi
1:	ret

/* rsi to, edx bytes of `opened`, which is closed -> flags: equal when all could be read. */
read_whole:
	mov	edi, [opened]
	xor	r10d, r10d
1:	test	edx, edx
	jz	2f
	sys	pread64
	cmp	rax, -EINTR
	je	1b
	test	rax, rax
	jle	2f
	add	rsi, rax
	add	r10, rax
	sub	edx, eax
	jmp	1b
2:	sys	close
	test	edx, edx
	ret

/* rdi the file: its A_TEXT and A_HEAD, from F_SIZE and `path`. Destroys all scratch registers. */
head_make:
	push	rdi
	mov	rdi, [rdi + A_TEXT]
	mov	esi, offset head_start
	mov	ecx, offset head_start_end - head_start
	rep movsb
	push	rdi
	mov	eax, [path_len]
1:	dec	eax
	js	2f
	cmp	byte ptr [path + rax], '.'
	jne	1b
	mov	r8d, offset types
	lea	r9, [path + rax]
3:	mov	rdi, r9
	mov	rsi, r8
	call	text_same
	je	4f
	add	r8, TYPE_SIZE
	cmp	r8, offset types_end
	jb	3b
2:	mov	r8d, offset types_end
4:	pop	rdi
	lea	rsi, [r8 + 8]
5:	lodsb
	stosb
	test	al, al
	jnz	5b
	dec	rdi
	mov	esi, offset length_name
	mov	ecx, offset length_name_end - length_name
	rep movsb
	mov	rcx, [rsp]
	mov	rax, [rcx + F_SIZE]
	call	decimal
	mov	dword ptr [rdi], 0x0a0d0a0d
	add	rdi, 4
	pop	rcx
	sub	rdi, [rcx + A_TEXT]
	mov	[rcx + A_HEAD], edi
	ret

	.section .rodata
head_start:
	.ascii	"HTTP/1.1 200 OK\r\nServer: asm\r\nDate: "
	.equ	HEAD_DATE, . - head_start
	.fill	DATE_SIZE, 1, '-'
	.ascii	"\r\nContent-Type: "
head_start_end:
length_name:
	.ascii	"\r\nContent-Length: "
length_name_end:

	.macro	type suffix, name
1:	.asciz	"\suffix"
	.org	1b + 8
	.asciz	"\name"
	.org	1b + TYPE_SIZE
	.endm
types:
	type	.js, text/javascript
	type	.html, text/html
	type	.css, text/css
	type	.json, application/json
	type	.txt, text/plain
	type	.svg, image/svg+xml
types_end:
	type	"", application/octet-stream
