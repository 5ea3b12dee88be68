/*
 * cost_tools.h - functions that the measurements of stack_cost share.
 */
#ifndef CULPRIT_TESTS_STACK_COST_TOOLS_H
#define CULPRIT_TESTS_STACK_COST_TOOLS_H

#include "record/stacks/stack_cache.h"

#define NOINLINE __attribute__((noinline))

double now_ns(void);

/* Return an empty stack cache, as the shim makes it for a new thread. */
struct stack_cache *fresh_cache(void);

/* Capture the caller's stack with culprit, using `cache`. Returns its id. */
uint32_t capture_own(struct stack_cache *cache);

#endif
