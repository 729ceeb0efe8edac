/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "ring.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "worker.h"

static struct io_uring_sqe *next_sqe(struct worker *w)
{
	struct io_uring_sqe *sqe;

	while ((sqe = io_uring_get_sqe(&w->ring)) == NULL)
		io_uring_submit(&w->ring); /* the queue is full in the middle of a batch */
	return sqe;
}

static void mark(struct connection *c, struct io_uring_sqe *sqe, enum op op)
{
	sqe->user_data = tag_make(op, c->generation, slot_of_connection(c));
	c->inflight++;
}

static void mark_socket(struct worker *w, struct connection *c, struct io_uring_sqe *sqe, enum op op)
{
	if (w->features.direct_sockets)
		sqe->flags |= IOSQE_FIXED_FILE;
	mark(c, sqe, op);
}

void ring_accept(struct worker *w, unsigned number)
{
	struct io_uring_sqe *sqe = next_sqe(w);

	/* Sockets stay blocking: with O_NONBLOCK the ring would return EAGAIN instead of waiting. */
	io_uring_prep_accept(sqe, w->listener, NULL, NULL, w->features.direct_sockets ? 0 : SOCK_CLOEXEC);
#if MODERN_LIBURING
	if (w->features.multishot_accept)
		sqe->ioprio |= IORING_ACCEPT_MULTISHOT;
	if (w->features.direct_sockets)
		sqe->file_index = IORING_FILE_INDEX_ALLOC;
#endif
	sqe->user_data = tag_make(OP_ACCEPT, 0, number);
}

void ring_wait_stop(struct worker *w)
{
	struct io_uring_sqe *sqe = next_sqe(w);
	io_uring_prep_read(sqe, w->stop, &w->stop_value, sizeof w->stop_value, 0);
	sqe->user_data = tag_make(OP_STOP, 0, 0);
}

void ring_tick(struct worker *w)
{
	struct io_uring_sqe *sqe = next_sqe(w);
	w->tick = (struct __kernel_timespec){ .tv_sec = w->draining ? 0 : 1, .tv_nsec = w->draining ? 50000000 : 0 };
	io_uring_prep_timeout(sqe, &w->tick, 0, 0);
	sqe->user_data = tag_make(OP_TICK, 0, 0);
}

void ring_receive(struct worker *w, struct connection *c, char *into, unsigned len)
{
	struct io_uring_sqe *sqe = next_sqe(w);
	io_uring_prep_recv(sqe, c->fd, into, len, 0);
	mark_socket(w, c, sqe, OP_RECEIVE);
}

void ring_receive_multishot(struct worker *w, struct connection *c)
{
	struct io_uring_sqe *sqe = next_sqe(w);
	io_uring_prep_recv(sqe, c->fd, NULL, 0, 0);
#if MODERN_LIBURING
	sqe->ioprio |= IORING_RECV_MULTISHOT;
#endif
	sqe->flags |= IOSQE_BUFFER_SELECT;
	sqe->buf_group = 0;
	mark_socket(w, c, sqe, OP_RECEIVE);
}

void ring_send(struct worker *w, struct connection *c, const char *bytes, unsigned len, bool more)
{
	struct io_uring_sqe *sqe = next_sqe(w);
	/* MSG_WAITALL lets newer kernels resume a short send by themselves; older ones ignore it, and the caller
	 * resumes. MSG_MORE: what belongs to it follows at once. */
	io_uring_prep_send(sqe, c->fd, bytes, len, MSG_NOSIGNAL | MSG_WAITALL | (more ? MSG_MORE : 0));
	mark_socket(w, c, sqe, OP_SEND);
}

void ring_wait_writable(struct worker *w, struct connection *c)
{
	struct io_uring_sqe *sqe = next_sqe(w);
	io_uring_prep_poll_add(sqe, c->fd, POLLOUT);
	mark_socket(w, c, sqe, OP_WRITABLE);
}

static void cancel(struct worker *w, uint64_t tag)
{
	struct io_uring_sqe *sqe = next_sqe(w);
	io_uring_prep_nop(sqe);
	sqe->opcode = IORING_OP_ASYNC_CANCEL;
	sqe->fd = -1;
	sqe->addr = tag;
	sqe->user_data = tag_make(OP_IGNORED, 0, 0);
}

void ring_cancel(struct worker *w, struct connection *c, enum op op)
{
	cancel(w, tag_make(op, c->generation, slot_of_connection(c)));
}

void ring_cancel_accept(struct worker *w, unsigned number) { cancel(w, tag_make(OP_ACCEPT, 0, number)); }

void ring_shutdown_write(struct worker *w, struct connection *c)
{
	struct io_uring_sqe *sqe = next_sqe(w);
	io_uring_prep_shutdown(sqe, c->fd, SHUT_WR);
	mark_socket(w, c, sqe, OP_SHUTDOWN);
}

void ring_close_socket(struct worker *w, struct connection *c)
{
	struct io_uring_sqe *sqe = next_sqe(w);
#if MODERN_LIBURING
	if (w->features.direct_sockets)
		io_uring_prep_close_direct(sqe, (unsigned)c->fd);
	else
#endif
		io_uring_prep_close(sqe, c->fd);
	sqe->user_data = tag_make(OP_IGNORED, 0, 0);
}

void ring_open_file(struct worker *w, struct connection *c, const char *path, struct open_how *how)
{
	struct io_uring_sqe *sqe = next_sqe(w);
	io_uring_prep_openat2(sqe, w->root, path, how);
	mark(c, sqe, OP_LOOKUP);
}

void ring_stat(struct worker *w, struct connection *c, int at, const char *path, struct statx *out)
{
	struct io_uring_sqe *sqe = next_sqe(w);
	io_uring_prep_statx(sqe, at, path, path[0] ? 0 : AT_EMPTY_PATH, STATX_BASIC_STATS, out);
	mark(c, sqe, OP_LOOKUP);
}

void ring_read(struct worker *w, struct connection *c, enum op op, int fd, char *into, unsigned len, uint64_t from)
{
	struct io_uring_sqe *sqe = next_sqe(w);
	io_uring_prep_read(sqe, fd, into, len, from);
	mark(c, sqe, op);
}

void ring_close_file(struct worker *w, int fd)
{
	struct io_uring_sqe *sqe = next_sqe(w);
	io_uring_prep_close(sqe, fd);
	sqe->user_data = tag_make(OP_IGNORED, 0, 0);
}
