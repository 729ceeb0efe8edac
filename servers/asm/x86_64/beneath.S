/* SPDX-License-Identifier: MIT */
/*
 * Opens what lies below the root and nothing else. The path holds no `..` already (target.S); this also stops links that lead out.
 */
#include "layout.inc"
#include "syscalls.inc"

	.equ	OPEN_FLAGS, O_CLOEXEC | O_NONBLOCK | O_NOCTTY	/* non-blocking: opening a pipe must not hang */
	.equ	BENEATH_TRIES, 16

	shared	root, 4, 4

/* open_beneath: `path` -> eax a descriptor or a negated errno. Destroys all scratch registers. */
proc open_beneath
	mov	r8d, BENEATH_TRIES
1:	mov	edi, [root]
	mov	esi, offset path
	mov	edx, offset how
	mov	r10d, 24
	sys	openat2
	cmp	eax, -EAGAIN			/* something was renamed meanwhile, and the kernel could not be sure */
	je	2f
	cmp	eax, -EINTR
	je	2f
	cmp	eax, -ENOSYS			/* an old kernel, or a strict sandbox: */
	je	open_without_links
	cmp	eax, -EPERM
	je	open_without_links
	ret
2:	dec	r8d
	jnz	1b
	ret
endproc open_beneath

/*
 * The same for kernels without openat2: folder by folder, and no link is followed at all.
 * Registers: r8d the folder so far, rsi the next name, r9 its end
 */
open_without_links:
	mov	r8d, [root]
	mov	esi, offset path
1:	mov	r9, rsi
2:	mov	al, [r9]
	inc	r9
	test	al, al
	jz	4f
	cmp	al, '/'
	jne	2b
	mov	byte ptr [r9 - 1], 0
	mov	edi, r8d
	mov	edx, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
	xor	r10d, r10d
	sys	openat
	mov	byte ptr [r9 - 1], '/'
	call	5f
	test	eax, eax
	js	3f
	mov	r8d, eax
	mov	rsi, r9
	cmp	byte ptr [rsi], 0
	jne	1b
	mov	eax, -ENOTDIR			/* a slash at the end: no file is called so */
	jmp	5f
4:	mov	edi, r8d
	mov	edx, OPEN_FLAGS | O_NOFOLLOW
	xor	r10d, r10d
	sys	openat
5:	cmp	r8d, [root]			/* keeps eax */
	je	3f
	push	rax
	mov	edi, r8d
	sys	close
	pop	rax
3:	ret

	.section .rodata
	.balign	8
how:						/* struct open_how: flags, mode, resolve */
	.quad	OPEN_FLAGS, 0, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS
