/* SPDX-License-Identifier: MIT */
/*
 * The three system calls that every request makes, without libc's wrappers: those are cancellation points and, in a
 * process with threads, pay two locked instructions each for it. Results as with libc: -1, and errno.
 */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static inline long system_call(long number, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__) && defined(__LP64__)
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
	long result;
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
#elif defined(__aarch64__) && defined(__LP64__)
	register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c,
		x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
	long result = x0;
#else
	return syscall(number, a, b, c, d, e, f);
#endif
#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__LP64__)
	if (__builtin_expect(result < 0, 0)) {
		errno = (int)-result;
		return -1;
	}
	return result;
#endif
}

static inline ssize_t system_recv(int fd, void *into, size_t len)
{
	return system_call(SYS_recvfrom, fd, (long)into, (long)len, 0, 0, 0);
}

static inline ssize_t system_send(int fd, const void *bytes, size_t len, int flags)
{
	return system_call(SYS_sendto, fd, (long)bytes, (long)len, flags, 0, 0);
}

static inline int system_epoll_wait(int epoll, struct epoll_event *events, int count, int timeout_ms)
{
	return (int)system_call(SYS_epoll_pwait, epoll, (long)events, count, timeout_ms, 0, _NSIG / 8);
}

#endif
