/*
 * arena.c - a bump allocator over mmap.
 */
#include "record/host/arena.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ARENA_ALIGN = 64, ARENA_CHUNK = 256 * 1024 };

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* <linux/mman.h> since 5.14 */
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards next and end; innermost */
static unsigned char *next, *end;

static unsigned char *map_bytes(size_t size)
{
	void *base = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return base == MAP_FAILED ? NULL : base;
}

/*
 * What is longer than a page begins on one: how many a launch touches would else depend on whatever
 * was allocated before.
 */
static size_t padding(size_t size)
{
	enum { PAGE = 4096 };
	return size > PAGE ? (size_t)(-(uintptr_t)next & (PAGE - 1)) : 0;
}

static void *take(size_t size)
{
	next += padding(size) <= (size_t)(end - next) ? padding(size) : 0;
	if (size > (size_t)(end - next)) {
		unsigned char *chunk = map_bytes(ARENA_CHUNK);
		if (!chunk)
			return NULL;
		next = chunk;
		end = chunk + ARENA_CHUNK;
	}
	void *object = next;
	next += size;
	return object;
}

void *arena_alloc(size_t size)
{
	size = (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
	if (size > ARENA_CHUNK / 4)
		return map_bytes(size);
	pthread_mutex_lock(&lock);
	void *object = take(size);
	pthread_mutex_unlock(&lock);
	return object;
}

void *arena_alloc_aside(size_t size)
{
	size = (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
	if (size > ARENA_CHUNK / 4)
		return map_bytes(size);
	pthread_mutex_lock(&lock);
	bool has_room = size <= (size_t)(end - next);
	end -= has_room ? size : 0;
	void *object = has_room ? end : take(size);
	pthread_mutex_unlock(&lock);
	return object;
}

/* An older kernel refuses, and no harm is done. */
void arena_populate(void *object, size_t size)
{
	uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t offset = (uintptr_t)object % page_size;
	(void)madvise((char *)object - offset, size + offset, MADV_POPULATE_WRITE);
}
