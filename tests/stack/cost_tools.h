/*
 * cost_tools.h - what the measurements of stack_cost share.
 */
#ifndef CULPRIT_TESTS_STACK_COST_TOOLS_H
#define CULPRIT_TESTS_STACK_COST_TOOLS_H

#include "record/stacks/stack_cache.h"

#define NOINLINE __attribute__((noinline))

double now_ns(void);

/* What a fresh thread keeps of stacks, as the shim makes it. */
struct stack_cache *fresh_cache(void);

/* Takes the stack of its caller by culprit, for the cache that is set by the tests of one thread.
 */
uint32_t capture_own(struct stack_cache *cache);

#endif
