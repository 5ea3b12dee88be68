/* stacks.c - helpers for all kinds of places: random numbers, launches, and memory for stacks. */
#include "stacks.h"

#include <stdint.h>
#include <sys/mman.h>

#include "host.h"

enum { PAGE = 4096, SLOTS = 4, SLOT_BYTES = 256 * 1024 };

__thread unsigned chaos_launched;

static __thread uint64_t seed = 88172645463325252ull;
static __thread char *slots;
static __thread unsigned n_mapped; /* in slots: at most two at once */

void chaos_seed(unsigned index)
{
	seed += index;
}

unsigned chaos_random(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed >> 33) % n;
}

static __attribute__((noinline)) void launch_below(unsigned depth)
{
	volatile char frame[40];

	frame[depth % sizeof(frame)] = 0;
	if (depth)
		launch_below(depth - 1);
	else
		NEED(host_fill(NULL));
	chaos_launched += depth == 0;
}

void chaos_launch(void)
{
	for (unsigned n = 1 + chaos_random(4); n; n--)
		launch_below(chaos_random(6));
}

char *chaos_map(size_t size)
{
	if (!slots)
		slots = mmap(NULL, SLOTS * SLOT_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			     0);
	NEED_TRUE(slots != MAP_FAILED && size <= SLOT_BYTES / 2 && size % PAGE == 0);
	/*
	 * Map anywhere in a slot, so that the inside of an old stack is now past the end of a
	 * stack.
	 */
	char *start = slots + (2 * n_mapped++ + chaos_random(SLOTS / 2)) * SLOT_BYTES + PAGE +
		      chaos_random((unsigned)((SLOT_BYTES / 2 - PAGE) / PAGE)) * PAGE;
	NEED_TRUE(mmap(start, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		       -1, 0) == start);
	return start + size;
}

void chaos_unmap(char *end, size_t size)
{
	n_mapped--;
	NEED_TRUE(mmap(end - size, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		       0) == end - size);
}
