/* SPDX-License-Identifier: MIT */
/*
 * The worker's open files. Small ones are kept as bytes, larger ones as descriptors for sendfile. An entry is compared with the file
 * system at most once a second, and what was not found is never remembered: a new file is served at once, a changed one after
 * a second at the latest. Bounded: CACHE_SETS * CACHE_WAYS entries. An entry is one block: head, path and bytes lie in a row.
 */
#include "syscalls.inc"
#include "layout.inc"

	.local	sets
	.comm	sets, CACHE_SETS * CACHE_WAYS * 8, 64
	.local	found				/* struct stat of the file that is looked at */
	.comm	found, STAT_SIZE, 16

/*
 * cache_get: x0 length of `path`, w1 its hash, x28 worker -> x0 the file, which stays until the next call (count it in F_REFS to keep
 * it longer), or 0 and w1 the status that says why not. Destroys x2-x17.
 *
 * x19 length, w20 hash, x21 the set, x22 where a new entry would go, x23 the entry of this path, or 0.
 */
proc cache_get
	push	x19, x30
	push	x20, x21
	push	x22, x23
	mov	x19, x0
	mov	w20, w1
	address	x21, sets
	and	w2, w20, #CACHE_SETS - 1
	add	x21, x21, x2, lsl #5		/* four pointers */
	mov	x22, x21
	ldr	x9, [x22]			/* x9 what would have to leave: nothing, else what was not asked for longest */
	mov	x10, #0
1:	ldr	x23, [x21, x10, lsl #3]
	cbz	x23, 2f
	ldr	w2, [x23, #F_HASH]
	cmp	w2, w20
	b.ne	2f
	bl	is_path
	b.eq	4f
2:	cbz	x9, 3f
	add	x2, x21, x10, lsl #3
	cbz	x23, 9f
	ldr	x3, [x23, #F_USED]
	ldr	x4, [x9, #F_USED]
	cmp	x3, x4
	b.hs	3f
9:	mov	x22, x2
	mov	x9, x23
3:	add	x10, x10, #1
	cmp	x10, #CACHE_WAYS
	b.lo	1b
	mov	x23, #0
	b	5f

4:	ldr	x2, [x28, #W_NOW_MS]
	str	x2, [x23, #F_USED]
	ldr	x3, [x23, #F_CHECKED]
	sub	x3, x2, x3
	cmp	x3, #CHECK_EVERY_MS
	b.lo	8f
	str	x2, [x23, #F_CHECKED]
	add	x22, x21, x10, lsl #3
	bl	unchanged
	b.eq	8f

5:	bl	file_open
	cbz	x0, 7f
	str	w20, [x0, #F_HASH]
	ldr	x2, [x28, #W_NOW_MS]
	stp	x2, x2, [x0, #F_CHECKED]	/* and F_USED */
	mov	x23, x0
	ldr	x0, [x22]
	str	x23, [x22]
	cbz	x0, 8f
	bl	file_release
8:	mov	x0, x23
	b	6f

	/* A known file that is gone leaves; an unknown name must not push a good entry out. */
7:	mov	w20, w1
	cbz	x23, 7f
	str	xzr, [x22]
	mov	x0, x23
	bl	file_release
7:	mov	x0, #0
	mov	w1, w20
6:	pop	x22, x23
	pop	x20, x21
	pop	x19, x30
	ret
endproc cache_get

/* x23 an entry, x19 length of `path` -> the flags say whether it is the entry's. Destroys x2-x6, nothing else. */
is_path:
	ldr	w2, [x23, #F_PATH_LEN]
	cmp	x2, x19
	b.ne	2f
	add	x3, x23, #F_PATH
	address	x4, path
1:	ldrb	w5, [x3], #1
	ldrb	w6, [x4], #1
	cmp	w5, w6
	b.ne	2f
	subs	x2, x2, #1
	b.ne	1b
2:	ret

/* x23 an entry -> the flags say whether the file system still has the same. Destroys x0-x8. */
unchanged:
	ldr	w0, [x23, #F_UNSETTLED]
	cmp	w0, #0
	b.ne	1f
	ldr	w0, [x28, #W_ROOT]
	address	x1, path
	address	x2, found
	mov	x3, #0
	sys	newfstatat
	cmp	x0, #0
	b.ne	1f
	address	x2, found
	ldp	x0, x1, [x2, #ST_DEV]		/* and ST_INO */
	ldp	x3, x4, [x23, #F_DEV]
	cmp	x0, x3
	ccmp	x1, x4, #0, eq
	ldr	x0, [x2, #ST_LENGTH]
	ldr	x1, [x23, #F_SIZE]
	ccmp	x0, x1, #0, eq
	ldp	x0, x1, [x2, #ST_MTIME]
	ldp	x3, x4, [x23, #F_MTIME]
	ccmp	x0, x3, #0, eq
	ccmp	x1, x4, #0, eq
	ldp	x0, x1, [x2, #ST_CTIME]
	ldp	x3, x4, [x23, #F_CTIME]
	ccmp	x0, x3, #0, eq
	ccmp	x1, x4, #0, eq
1:	ret

/* file_release: x0 a file that one fewer needs. Destroys x0-x8. */
proc file_release
	ldr	w1, [x0, #F_REFS]
	subs	w1, w1, #1
	str	w1, [x0, #F_REFS]
	b.ne	2f
	push	x19, x30
	mov	x19, x0
	ldr	x1, [x0, #F_BODY]
	cbnz	x1, 1f
	ldr	w0, [x0, #F_FD]
	sys	close
1:	mov	x0, x19
	bl	block_free
	pop	x19, x30
2:	ret
endproc file_release

/*
 * file_open: x19 length of `path` -> x0 a new entry, or 0 and w1 the status that says why not. Destroys x2-x17.
 * w21 descriptor, x22 size, x23 the entry.
 */
file_open:
	push	x29, x30
	push	x20, x21
	push	x22, x23
	mov	w20, #404
	cbz	x19, 8f
	bl	open_beneath
	tbz	x0, #63, 1f
	mov	w20, #503
	cmn	x0, #EMFILE
	b.eq	8f
	cmn	x0, #ENFILE
	b.eq	8f
	cmn	x0, #ENOMEM
	b.eq	8f
	cmn	x0, #EACCES
	mov	w20, #403
	mov	w1, #404
	csel	w20, w20, w1, eq
	b	8f

1:	mov	w21, w0
	address	x1, found
	sys	fstat
	cbnz	x0, 7f
	address	x1, found
	ldr	w2, [x1, #ST_MODE]
	and	w2, w2, #S_IFMT
	cmp	w2, #S_IFREG
	b.ne	7f
	mov	w20, #503
	ldr	x22, [x1, #ST_LENGTH]
	mov	x2, #SMALL_FILE
	cmp	x22, x2
	csel	x0, x22, xzr, ls		/* room for the bytes of a small one */
	add	x0, x0, x19
	add	x0, x0, #F_PATH + 32
	bl	block_get
	cbz	x0, 7f
	mov	x23, x0

	mov	w2, #1
	stp	w21, w2, [x23, #F_FD]		/* and F_REFS */
	stp	xzr, x22, [x23, #F_BODY]	/* and F_SIZE */
	str	w19, [x23, #F_PATH_LEN]
	address	x1, found
	ldp	x2, x3, [x1, #ST_DEV]
	stp	x2, x3, [x23, #F_DEV]
	ldp	x2, x3, [x1, #ST_MTIME]
	stp	x2, x3, [x23, #F_MTIME]
	ldp	x2, x3, [x1, #ST_CTIME]
	stp	x2, x3, [x23, #F_CTIME]
	ldr	x3, [x28, #W_SECOND]
	sub	x3, x3, x2
	cmp	x3, #2
	cset	w3, lt
	str	w3, [x23, #F_UNSETTLED]
	add	x0, x23, #F_PATH
	address	x1, path
	mov	x2, x19
	bl	copy
	add	x0, x23, #F_HEAD
	add	x1, x23, #F_PATH
	mov	x2, x19
	mov	x3, x22
	strb	wzr, [x1, x2]			/* head_make compares the suffix up to here */
	bl	head_make
	str	w0, [x23, #F_HEAD_LEN]
	mov	x2, #SMALL_FILE
	cmp	x22, x2
	b.hi	9f

	add	x1, x19, #F_PATH + 16
	and	x1, x1, #~15
	add	x1, x1, x23
	str	x1, [x23, #F_BODY]
	mov	x9, #0				/* bytes that were read */
2:	cmp	x9, x22
	b.hs	3f
	mov	w0, w21
	ldr	x1, [x23, #F_BODY]
	add	x1, x1, x9
	sub	x2, x22, x9
	mov	x3, x9
	sys	pread64
	cmn	x0, #EINTR
	b.eq	2b
	cmp	x0, #0
	b.le	6f				/* 503: it shrank while it was read; the next request sees the new size */
	add	x9, x9, x0
	b	2b
3:	mov	w0, w21
	sys	close
9:	mov	x0, x23
	b	5f

6:	mov	x0, x23
	bl	block_free
7:	mov	w0, w21
	sys	close
8:	mov	x0, #0
	mov	w1, w20
5:	pop	x22, x23
	pop	x20, x21
	pop	x29, x30
	ret
