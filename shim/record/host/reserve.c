/*
 * reserve.c - map without access, unlock, and then grant access. The kernel makes a locked mapping
 * resident when it is made or becomes writable, but not pages without access.
 */
#include "record/host/reserve.h"

#include <errno.h>
#include <sys/mman.h>

static void *map(void *place, size_t size, int flags, int fd)
{
	void *base = mmap(place, size, PROT_NONE, flags, fd, 0);
	if (base == MAP_FAILED)
		return NULL;
	(void)munlock(base, size);
	if (mprotect(base, size, PROT_READ | PROT_WRITE) == 0)
		return base;
	int error = errno;
	if (!place)
		(void)munmap(base, size);
	errno = error;
	return NULL;
}

void *reserve_memory(size_t size)
{
	return map(NULL, size, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
}

bool reserve_memory_at(void *place, size_t size)
{
	return map(place, size, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1);
}

void *reserve_file(int fd, size_t size)
{
	return map(NULL, size, MAP_SHARED, fd);
}
