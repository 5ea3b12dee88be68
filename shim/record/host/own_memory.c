/*
 * own_memory.c - use a pipe to read without faulting.
 */
#include "record/host/own_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/host/cancellation.h"

int own_memory_open(struct own_memory *memory)
{
	if (pipe2(memory->ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	/* All later calls are cancellation points, and the caller may hold a stream's lock. */
	memory->cancellation = cancellation_hold();
	return 0;
}

void own_memory_close(struct own_memory *memory)
{
	(void)close(memory->ends[0]);
	(void)close(memory->ends[1]);
	cancellation_restore(memory->cancellation);
}

/* Discard what a write that met a hole left in the pipe, so that the next read does not see it. */
static void drain(const struct own_memory *memory, size_t size)
{
	char rest[256];
	while (size > 0) {
		ssize_t n = read(memory->ends[0], rest, size < sizeof(rest) ? size : sizeof(rest));
		if (n <= 0)
			return;
		size -= (size_t)n;
	}
}

bool own_memory_read(struct own_memory *memory, uintptr_t address, void *out, size_t size)
{
	if (size > OWN_MEMORY_MAX)
		return false;
	/*
	 * The address is only a number until the kernel has checked it. Bypass the C library: a
	 * sanitizer in the host would read the bytes first, and kill the host.
	 */
	ssize_t n = syscall(SYS_write, memory->ends[1], address, size);
	if (n < 0)
		return false;
	if ((size_t)n == size)
		return read(memory->ends[0], out, size) == n;
	drain(memory, (size_t)n);
	return false;
}

uint64_t own_memory_word(struct own_memory *memory, uintptr_t address)
{
	uint64_t word = 0;
	return own_memory_read(memory, address, &word, sizeof(word)) ? word : 0;
}
