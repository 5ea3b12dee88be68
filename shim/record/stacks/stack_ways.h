/*
 * stack_ways.h - the kept stacks of a thread ("ways"), and which one to try or to replace.
 */
#ifndef CULPRIT_RECORD_STACK_WAYS_H
#define CULPRIT_RECORD_STACK_WAYS_H

#include <stdint.h>

#include "record/stacks/unwind.h"

struct stack_cache;

/*
 * Return the way that has the current stack, taken from `caller`, else a new one, else the oldest
 * of its set. The last two must take the stack: see stack_is_in(). NULL: memory is short. `purpose`
 * as for stack_capture_hot(). Slot owner only.
 */
struct unwind_state *stack_ways_choose(struct stack_cache *cache, const struct unwind_point *caller,
				       uint64_t purpose);

/* Note that the stack `way` was taken after `before`: it is tried first the next time. */
void stack_ways_follow(struct unwind_state *before, struct unwind_state *way);

#endif
