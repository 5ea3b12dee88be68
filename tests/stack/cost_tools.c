/* cost_tools.c - the clock, and a thread's stack cache as the shim makes it. */
#include "cost_tools.h"

#include <time.h>

#include "arch/frame.h"
#include "record/host/arena.h"
#include "record/stacks/stack.h"
#include "support/check.h"

double now_ns(void)
{
	struct timespec now;
	CHECK_EQUAL(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now), 0);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

struct stack_cache *fresh_cache(void)
{
	struct stack_cache *cache = arena_alloc(sizeof(*cache));
	CHECK(cache != NULL);
	arena_populate(cache, sizeof(*cache));
	return cache;
}

NOINLINE uint32_t capture_own(struct stack_cache *cache)
{
	return stack_capture(cache, FRAME_HERE());
}
