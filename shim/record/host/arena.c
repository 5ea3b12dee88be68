/*
 * arena.c - a bump allocator over mmap.
 */
#include "record/host/arena.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/host/reserve.h"

enum { ARENA_ALIGN = 64, ARENA_CHUNK = 256 * 1024 };

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* <linux/mman.h> since 5.14 */
#endif

struct arena {
	unsigned char *next, *end;
	bool is_wiped;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards both arenas; innermost */
static struct arena kept, wiped = {.is_wiped = true};

void arena_wipe(void *object, size_t size)
{
	(void)madvise(object, size, MADV_WIPEONFORK);
}

static unsigned char *map_bytes(const struct arena *arena, size_t size)
{
	void *base = reserve_memory(size);
	if (!base)
		return NULL;
	if (arena->is_wiped)
		arena_wipe(base, size);
	return base;
}

/*
 * Place objects longer than the smallest page at a multiple of its size. Otherwise the number of
 * pages that a launch touches would depend on earlier allocations.
 */
static size_t padding(const struct arena *arena, size_t size)
{
	enum { LEAST_PAGE = 4096 };
	return size > LEAST_PAGE ? (size_t)(-(uintptr_t)arena->next & (LEAST_PAGE - 1)) : 0;
}

static size_t room(const struct arena *arena)
{
	return (size_t)(arena->end - arena->next);
}

static void *take(struct arena *arena, size_t size)
{
	size_t gap = padding(arena, size);
	if (gap && gap <= room(arena))
		arena->next += gap;
	if (size > room(arena)) {
		unsigned char *chunk = map_bytes(arena, ARENA_CHUNK);
		if (!chunk)
			return NULL;
		arena->next = chunk;
		arena->end = chunk + ARENA_CHUNK;
	}
	void *object = arena->next;
	arena->next += size;
	return object;
}

static size_t rounded(size_t size)
{
	return (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
}

static void *allocate(struct arena *arena, size_t size)
{
	if (size > ARENA_CHUNK / 4)
		return map_bytes(arena, size);
	pthread_mutex_lock(&lock);
	void *object = take(arena, size);
	pthread_mutex_unlock(&lock);
	return object;
}

void *arena_alloc(size_t size)
{
	return allocate(&kept, rounded(size));
}

void *arena_alloc_wiped(size_t size)
{
	return allocate(&wiped, rounded(size));
}

void *arena_alloc_aside(size_t size)
{
	size = rounded(size);
	if (size > ARENA_CHUNK / 4)
		return map_bytes(&kept, size);
	pthread_mutex_lock(&lock);
	bool has_room = size <= room(&kept);
	if (has_room)
		kept.end -= size;
	void *object = has_room ? kept.end : take(&kept, size);
	pthread_mutex_unlock(&lock);
	return object;
}

/* An older kernel rejects the request, which does no harm. */
void arena_populate(void *object, size_t size)
{
	uintptr_t page_size = reserve_page_size();
	uintptr_t offset = (uintptr_t)object % page_size;
	(void)madvise((char *)object - offset, size + offset, MADV_POPULATE_WRITE);
}
