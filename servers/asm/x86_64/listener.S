/* SPDX-License-Identifier: MIT */
/*
 * The address, from text to struct sockaddr, and the listeners: one a worker, all on one port with SO_REUSEPORT.
 */
#include "layout.inc"
#include "syscalls.inc"

	.equ	BACKLOG, 4096
	.equ	SOCKADDR_IN_SIZE, 16
	.equ	SOCKADDR_IN6_SIZE, 28

	shared	listeners, WORKERS_MAX*4, 4
	own	address, 128, 8
	own	address_len, 4, 4
	own	value, 4, 4			/* of an option that is set */
	own	groups, 16			/* an IPv6 address under way */

/* endpoint_parse: option_address, option_port -> flags: equal when it is a numeric address. Destroys all scratch registers, rbx, rbp. */
proc endpoint_parse
	mov	eax, [option_port]
	xchg	al, ah
	mov	[address + 2], ax
	mov	word ptr [address], AF_INET
	mov	dword ptr [address_len], SOCKADDR_IN_SIZE
	mov	rsi, [option_address]
	mov	edi, offset address + 4
	call	parse_v4
	je	1f
	mov	word ptr [address], AF_INET6
	mov	dword ptr [address_len], SOCKADDR_IN6_SIZE
	mov	dword ptr [address + 4], 0
	mov	rsi, [option_address]
	mov	edi, offset address + 8
	call	parse_v6
1:	ret
endproc endpoint_parse

/* endpoint_port -> eax the port, after listeners_open the real one. */
proc endpoint_port
	movzx	eax, word ptr [address + 2]
	xchg	al, ah
	ret
endproc endpoint_port

/* rsi text, rdi 4 bytes -> flags: equal when all of it is a.b.c.d. Destroys rax, rcx, rdx, rsi, r8. */
parse_v4:
	mov	r8d, 4
1:	xor	eax, eax
	xor	ecx, ecx
2:	movzx	edx, byte ptr [rsi]
	sub	edx, '0'
	cmp	edx, 9
	ja	3f
	test	ecx, ecx
	jz	4f
	test	eax, eax
	jz	5f				/* 01 could mean another number to somebody else */
4:	lea	eax, [rax + rax * 4]
	lea	eax, [rdx + rax * 2]
	inc	ecx
	inc	rsi
	cmp	eax, 255
	jbe	2b
5:	or	eax, 1				/* not equal */
	ret
3:	test	ecx, ecx
	jz	5b
	mov	[rdi], al
	inc	rdi
	dec	r8d
	jz	6f
	cmp	byte ptr [rsi], '.'
	jne	5b
	inc	rsi
	jmp	1b
6:	cmp	byte ptr [rsi], 0
	ret

/*
 * rsi text, rdi 16 bytes -> flags: equal when all of it is an IPv6 address, an IPv4 one at its end included.
 * Registers: r9 groups so far, r10 the group before which `::` stands or -1, rbx where the group began
 */
parse_v6:
	push	rdi
	xor	r9d, r9d
	mov	r10d, -1
	cmp	byte ptr [rsi], ':'
	jne	1f
	cmp	byte ptr [rsi + 1], ':'		/* one colon alone cannot begin it */
	jne	.Lbad
	inc	rsi
	jmp	.Lcolon
1:	cmp	r9d, 8
	jae	.Lbad
	mov	rbx, rsi
	xor	eax, eax
	xor	ecx, ecx
2:	movzx	edx, byte ptr [rsi]
	sub	edx, '0'
	cmp	edx, 9
	jbe	3f
	or	edx, 0x20			/* '0' is 0x30: letters come out with the same bit */
	sub	edx, ('a' - '0') | 0x20
	cmp	edx, 5
	ja	4f
	add	edx, 10
3:	shl	eax, 4
	or	eax, edx
	inc	ecx
	inc	rsi
	cmp	ecx, 4
	jbe	2b
	jmp	.Lbad
4:	cmp	byte ptr [rsi], '.'
	je	.Lv4_end
	test	ecx, ecx
	jz	.Lbad
	xchg	al, ah
	mov	[groups + r9 * 2], ax
	inc	r9d
	cmp	byte ptr [rsi], 0
	je	.Lend
	cmp	byte ptr [rsi], ':'
	jne	.Lbad
.Lcolon:					/* rsi a colon behind a group, or the second one of `::` at the beginning */
	inc	rsi
	test	r9d, r9d
	jz	5f
	cmp	byte ptr [rsi], ':'
	jne	1b
	inc	rsi
5:	cmp	r10d, -1
	jne	.Lbad
	mov	r10d, r9d
	cmp	byte ptr [rsi], 0
	jne	1b
.Lend:
	pop	rdi
	cmp	r10d, -1
	je	6f
	cmp	r9d, 7
	ja	7f				/* a `::` that stands for nothing: not equal */
	/* the groups before `::`, zeros, the groups behind it */
	mov	esi, offset groups
	mov	ecx, r10d
	rep movsw
	xor	eax, eax
	mov	ecx, 8
	sub	ecx, r9d
	rep stosw
	mov	ecx, r9d
	sub	ecx, r10d
	rep movsw
	cmp	eax, eax
	ret
6:	mov	rax, [groups]
	mov	[rdi], rax
	mov	rax, [groups + 8]
	mov	[rdi + 8], rax
	cmp	r9d, 8
7:	ret
.Lv4_end:
	cmp	r9d, 6
	ja	.Lbad
	mov	rsi, rbx
	lea	rdi, [groups + r9 * 2]
	call	parse_v4
	jne	.Lbad
	add	r9d, 2
	jmp	.Lend
.Lbad:
	pop	rdi
	or	eax, 1
	ret

/* r9d with SO_REUSEPORT or without -> eax a bound socket, or a negated errno. Destroys all scratch registers. */
bound_socket:
	mov	dword ptr [value], 1
	movzx	edi, word ptr [address]
	mov	esi, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK
	xor	edx, edx
	sys	socket
	test	eax, eax
	js	2f
	mov	edi, eax
	push	rdi
	push	r9
	mov	esi, SOL_SOCKET
	mov	edx, SO_REUSEADDR
	call	set_option
	pop	r9
	js	1f
	test	r9d, r9d
	jz	3f
	mov	edx, SO_REUSEPORT
	call	set_option
	js	1f
3:	mov	esi, IPPROTO_TCP		/* accepted sockets inherit it, which saves a system call for each connection */
	mov	edx, TCP_NODELAY
	call	set_option
	js	1f
	cmp	dword ptr [option_nopush], 0
	je	4f
	mov	edx, TCP_NOTSENT_LOWAT		/* inherited as well; a help only */
	mov	dword ptr [value], UNSENT_MAX
	call	set_option
4:	mov	esi, offset address
	mov	edx, [address_len]
	sys	bind
	test	eax, eax
	js	1f
	pop	rax
	ret
1:	pop	rdi
	push	rax
	sys	close
	pop	rax
2:	ret
set_option:
	mov	r10d, offset value
	mov	r8d, 4
	sys	setsockopt
	test	eax, eax
	ret

/* listeners_open: option_workers listeners -> eax 0 or a negated errno; the sign flag says the same. Destroys rbx and all scratch registers. */
proc listeners_open
	/* SO_REUSEPORT would let this server share a port with a forgotten one of the same user, and each would get half of the load. A
	 * socket without it shows whether the port is free. */
	xor	r9d, r9d
	call	bound_socket
	test	eax, eax
	js	2f
	mov	edi, eax
	sys	close
	xor	ebx, ebx
1:	mov	r9d, 1
	call	bound_socket
	test	eax, eax
	js	2f
	mov	[listeners + rbx * 4], eax
	mov	edi, eax
	mov	esi, BACKLOG
	sys	listen
	test	eax, eax
	js	2f
	mov	esi, offset address		/* the first one has chosen the port where none was named */
	mov	edx, offset address_len
	sys	getsockname
	test	eax, eax
	js	2f
	inc	ebx
	cmp	ebx, [option_workers]
	jb	1b
2:	test	eax, eax
	ret
endproc listeners_open
