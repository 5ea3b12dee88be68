/*
 * own_memory.c - a pipe as a way to read without faulting.
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
	/* All that follows is a point of cancellation, and the caller may hold a stream. */
	memory->cancellation = cancellation_hold();
	return 0;
}

void own_memory_close(struct own_memory *memory)
{
	(void)close(memory->ends[0]);
	(void)close(memory->ends[1]);
	cancellation_restore(memory->cancellation);
}

/* What a write that met a hole has left in the pipe is no part of the next read. */
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
	 * The address is a number to us until the kernel has found it good. Past the C library: a
	 * sanitizer in the host would look at the bytes first, and end it.
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
	uint64_t word;
	return own_memory_read(memory, address, &word, sizeof(word)) ? word : 0;
}
