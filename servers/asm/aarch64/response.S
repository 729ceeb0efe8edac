/* SPDX-License-Identifier: MIT */
/*
 * Responses: which one a request gets, and the heads. A head is made once for a file, and by the assembler for a status; Date and
 * Connection are added when it is sent. Everything is written behind W_OUT_LEN of `out`; the caller has made sure that
 * HEAD_MAX + SMALL_FILE bytes fit.
 */
#include "syscalls.inc"
#include "layout.inc"

	.comm	out, OUT_SIZE + SLACK, 16
	.hidden	out

/* respond: x28 worker (the request), x27 connection; its response is in `out`, a large file under way in the slot. Destroys x0-x17. */
proc respond
	push	x19, x30
	ldr	w1, [x28, #R_FLAGS]
	tbz	w1, #R_BODY_UNKNOWN, 1f
	raise	LAST
	raise	LINGER
1:	ldr	x1, [x28, #R_BODY_LEN]
	str	x1, [x27, #C_SKIP]
	ldr	w1, [x28, #R_METHOD]
	mov	w0, #405
	cmp	w1, #METHOD_OTHER
	b.eq	error
	bl	target_path
	tbnz	x0, #63, 4f
	cmp	x0, #9
	b.ne	2f
	address	x2, path
	ldr	x3, [x2]
	ldrb	w4, [x2, #8]
	ldr	x5, =0x7865746e69616c70		/* "plaintex" */
	cmp	x3, x5
	mov	w5, #'t'
	ccmp	w4, w5, #0, eq
	b.eq	plain

2:	bl	cache_get
	cbz	x0, 5f
	mov	x19, x0
	add	x1, x19, #F_HEAD
	ldr	w2, [x19, #F_HEAD_LEN]
	bl	head_write
	ldr	w1, [x28, #R_METHOD]
	cmp	w1, #METHOD_HEAD
	b.eq	3f
	ldr	x2, [x19, #F_SIZE]
	ldr	x1, [x19, #F_BODY]
	cbz	x1, 6f
	bl	copy
3:	address	x1, out
	sub	x0, x0, x1
	str	x0, [x28, #W_OUT_LEN]
	pop	x19, x30
	ret

6:	ldr	w1, [x19, #F_REFS]
	add	w1, w1, #1
	str	w1, [x19, #F_REFS]
	stp	x19, xzr, [x27, #C_FILE]
	b	3b

4:	neg	x0, x0
	b	error
5:	mov	w0, w1
error:	pop	x19, x30
	b	response_error
plain:	address	x0, plaintext
	pop	x19, x30
	b	response_fixed
endproc respond

/* response_error: w0 status; its response is in `out`. Destroys x0-x17. */
proc response_error
	address	x1, statuses
1:	ldp	w2, w3, [x1]
	cmp	w2, w0
	b.eq	2f
	cbz	w2, 2f				/* the last one stands for every status that is not in the list */
	add	x1, x1, #8
	b	1b
2:	add	x0, x1, w3, sxtw
	/* goes on into response_fixed */
endproc response_error

/* x0 a fixed response: lengths of head and body in two bytes each, then the bytes. Destroys x0-x17. */
response_fixed:
	push	x19, x30
	mov	x19, x0
	add	x1, x0, #4
	ldrh	w2, [x0]
	bl	head_write
	ldr	w1, [x28, #R_METHOD]
	cmp	w1, #METHOD_HEAD
	b.eq	1f
	ldrh	w1, [x19]
	ldrh	w2, [x19, #2]
	add	x1, x1, x19
	add	x1, x1, #4
	bl	copy
1:	address	x1, out
	sub	x0, x0, x1
	str	x0, [x28, #W_OUT_LEN]
	pop	x19, x30
	ret

/* head_write: x1 head, x2 its length; with Date and Connection it goes behind what is in `out` -> x0 behind it. Destroys x1-x3, x17. */
proc head_write
	push	x29, x30
	address	x0, out
	ldr	x3, [x28, #W_OUT_LEN]
	add	x0, x0, x3
	bl	copy
	ldp	q0, q1, [x28, #W_DATE]		/* with the end of a head that says nothing about the connection */
	ldr	q2, [x28, #W_DATE + 32]
	stp	q0, q1, [x0]
	str	q2, [x0, #32]
	add	x0, x0, #DATE_LINE
	ldr	w1, [x28, #R_FLAGS]
	ldrb	w2, [x28, #W_DRAINING]
	tbnz	w1, #R_CLOSE, 1f
	cbz	w2, 2f
1:	raise	LAST
2:	when	LAST, 3f
	tbnz	w1, #R_HTTP10, 4f
	add	x0, x0, #2
	pop	x29, x30
	ret
3:	address	x1, line_close
	ldr	q0, [x1]
	ldr	q1, [x1, #16]
	stp	q0, q1, [x0]
	add	x0, x0, #21
	pop	x29, x30
	ret
4:	address	x1, line_keep_alive
	ldr	q0, [x1]
	ldr	q1, [x1, #16]
	stp	q0, q1, [x0]
	add	x0, x0, #26
	pop	x29, x30
	ret
endproc head_write

/* head_make: x0 to, x1 path, x2 its length, x3 Content-Length: the head of a file -> x0 its length. Destroys x1-x9. */
proc head_make
	push	x19, x30
	push	x20, x21
	mov	x19, x0
	mov	x20, x3
	add	x3, x1, x2			/* back to the last dot of the last segment */
	address	x4, types
1:	cmp	x3, x1
	b.ls	3f
	ldrb	w5, [x3, #-1]!
	cmp	w5, #'/'
	b.eq	3f
	cmp	w5, #'.'
	b.ne	1b
	mov	x21, x3
2:	ldrsw	x5, [x4]			/* ends with a row without a suffix */
	ldrsw	x6, [x4, #4]
	cbz	x5, 4f
	add	x0, x4, x5
	mov	x1, x21
	bl	text_same
	cbnz	x0, 4f
	add	x4, x4, #8
	b	2b
3:	address	x4, type_unknown
4:	mov	x0, x19
	address	x1, head_begin
	mov	x2, #HEAD_BEGIN
	bl	copy
	ldrsw	x6, [x4, #4]
	add	x1, x4, x6
	ldrb	w2, [x1], #1
	bl	copy
	address	x1, head_length
	mov	x2, #HEAD_LENGTH
	bl	copy
	mov	x1, x20
	bl	decimal
	mov	w1, #0x0a0d
	strh	w1, [x0], #2
	sub	x0, x0, x19
	pop	x20, x21
	pop	x19, x30
	ret
endproc head_make

	.section .rodata
	.macro	fixed name, status, length, body, extra
	.balign	4
\name:	.hword	982f - 981f, 983f - 982f
981:	.ascii	"HTTP/1.1 \status\r\nServer: asm\r\n\extra\()Content-Type: text/plain\r\nContent-Length: \length\r\n"
982:	.ascii	"\body"
983:	.if	(983b - 982b) - \length
	.error	"the body of \status has another length"
	.endif
	.endm

	fixed	plaintext, "200 OK", 13, "Hello, World!"
	fixed	e400, "400 Bad Request", 12, "Bad Request\n"
	fixed	e403, "403 Forbidden", 10, "Forbidden\n"
	fixed	e404, "404 Not Found", 10, "Not Found\n"
	fixed	e405, "405 Method Not Allowed", 19, "Method Not Allowed\n", "Allow: GET, HEAD\r\n"
	fixed	e414, "414 URI Too Long", 13, "URI Too Long\n"
	fixed	e431, "431 Request Header Fields Too Large", 32, "Request Header Fields Too Large\n"
	fixed	e503, "503 Service Unavailable", 20, "Service Unavailable\n"
	fixed	e505, "505 HTTP Version Not Supported", 27, "HTTP Version Not Supported\n"
	fixed	e500, "500 Internal Server Error", 22, "Internal Server Error\n"

	.balign	4
	.macro	status number, response
992:	.word	\number, \response - 992b
	.endm
statuses:
	status	404, e404
	status	405, e405
	status	400, e400
	status	403, e403
	status	414, e414
	status	431, e431
	status	503, e503
	status	505, e505
	status	0, e500

line_close:
	.ascii	"Connection: close\r\n\r\n"
	.balign	32
line_keep_alive:
	.ascii	"Connection: keep-alive\r\n\r\n"
	.balign	32
head_begin:
	.ascii	"HTTP/1.1 200 OK\r\nServer: asm\r\nContent-Type: "
	.equ	HEAD_BEGIN, . - head_begin
head_length:
	.ascii	"\r\nContent-Length: "
	.equ	HEAD_LENGTH, . - head_length

	/* How far behind its row a suffix and a type lie; the type has its length in front. */
	.macro	type suffix, text
	.pushsection .rodata.text, "a"
995:	.asciz	"\suffix"
996:	.byte	998f - 997f
997:	.ascii	"\text"
998:	.skip	16
	.popsection
	.balign	4
999:	.word	995b - 999b, 996b - 999b
	.endm
	.balign	4
types:
	type	".js", "text/javascript"
	type	".html", "text/html"
	type	".css", "text/css"
	type	".json", "application/json"
	type	".txt", "text/plain"
	type	".svg", "image/svg+xml"
type_unknown:
	.word	0, unknown - type_unknown
unknown:
	.byte	24
	.ascii	"application/octet-stream"
	.skip	SLACK
