/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "features.h"

#include <errno.h>
#include <string.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Without these nothing works; the newest of them came with Linux 5.11. */
static const int needed[] = {
	IORING_OP_ACCEPT, IORING_OP_RECV, IORING_OP_SEND, IORING_OP_READ, IORING_OP_OPENAT2, IORING_OP_STATX,
	IORING_OP_CLOSE, IORING_OP_SHUTDOWN, IORING_OP_ASYNC_CANCEL, IORING_OP_TIMEOUT,
	IORING_OP_POLL_ADD,
};

int ring_open(struct io_uring *ring, const struct features *f)
{
	struct io_uring_params params = { .flags = f->setup | IORING_SETUP_CQSIZE, .cq_entries = CQ_ENTRIES };
	return io_uring_queue_init_params(SQ_ENTRIES, ring, &params);
}

#if MODERN_LIBURING
/* Newest first. Each needs a later kernel than the next one; the last needs none. */
static const unsigned setups[] = {
	IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_SUBMIT_ALL, /* 6.1 */
	IORING_SETUP_COOP_TASKRUN | IORING_SETUP_SUBMIT_ALL,                               /* 5.19 */
	0,
};

static bool has_direct_sockets(struct io_uring *ring)
{
	return io_uring_register_files_sparse(ring, 64) == 0;
}

void *page_alloc(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *memory;

	size = (size + page - 1) / page * page;
	return posix_memalign(&memory, page, size) == 0 ? memset(memory, 0, size) : NULL;
}

static bool has_buffer_ring(struct io_uring *ring)
{
	struct io_uring_buf_reg reg = { .ring_entries = 8, .bgid = 1 };
	void *memory = page_alloc(reg.ring_entries * sizeof(struct io_uring_buf));

	if (memory == NULL)
		return false;
	reg.ring_addr = (unsigned long)memory;
	bool has = io_uring_register_buf_ring(ring, &reg, 0) == 0;
	if (has)
		io_uring_unregister_buf_ring(ring, 1);
	free(memory);
	return has;
}

/*
 * Multishot accept and receive have no probe of their own. Each came with an operation that does: OP_SOCKET (5.19)
 * and OP_SEND_ZC (6.0). Where a kernel returns EINVAL all the same, the worker falls back when it sees that.
 */
static void probe_modern(struct features *f, struct io_uring *ring, const struct io_uring_probe *probe)
{
	f->multishot_accept = io_uring_opcode_supported(probe, IORING_OP_SOCKET);
	f->multishot_recv = io_uring_opcode_supported(probe, IORING_OP_SEND_ZC) && has_buffer_ring(ring);
	f->direct_sockets = f->ring_files && f->multishot_accept && has_direct_sockets(ring); /* sendfile cannot name them */
}
#else
static const unsigned setups[] = { 0 };
static void probe_modern(struct features *f, struct io_uring *ring, const struct io_uring_probe *probe)
{
	(void)f, (void)ring, (void)probe;
}
#endif

enum { SETUPS = sizeof setups / sizeof setups[0] };

int features_probe(struct features *f, bool baseline, bool ring_files)
{
	struct io_uring ring;
	int result = -EINVAL;

	memset(f, 0, sizeof *f);
	f->ring_files = ring_files;
	for (int i = baseline ? SETUPS - 1 : 0; i < SETUPS && result < 0; i++) {
		f->setup = setups[i];
		result = ring_open(&ring, f);
	}
	if (result < 0)
		return result;
	struct io_uring_probe *probe = io_uring_get_probe_ring(&ring);
	if (probe == NULL)
		result = -ENOSYS;
	for (size_t i = 0; probe && i < sizeof needed / sizeof needed[0]; i++)
		if (!io_uring_opcode_supported(probe, needed[i]))
			result = -ENOSYS;
	if (result >= 0 && !baseline)
		probe_modern(f, &ring, probe);
	if (probe)
		io_uring_free_probe(probe);
	io_uring_queue_exit(&ring);
	return result < 0 ? result : 0;
}

void features_print(const struct features *f, FILE *out)
{
	struct utsname system;
	const char *setup = f->setup == setups[SETUPS - 1] ? "task work as it comes"
			    : f->setup == setups[0]	   ? "one issuer, deferred task work"
							   : "cooperative task work";

	uname(&system);
	fprintf(out, SERVER_NAME ": Linux %s, uses: %s accept, %s, %s, %s, %s\n", system.release,
		f->multishot_accept ? "multishot" : "single-shot",
		f->multishot_recv ? "multishot receive into a buffer ring" : "single-shot receive",
		f->direct_sockets ? "direct descriptors" : "ordinary descriptors", setup,
		f->ring_files ? "large files through the ring" : "sendfile for large files");
}
