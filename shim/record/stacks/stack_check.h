/*
 * stack_check.h - compare some stacks with a full walk of our own and with the C library's unwinder
 * (CULPRIT_STACK_CHECK). Differences are only counted in the journal: the stack stays as it was
 * taken.
 */
#ifndef CULPRIT_RECORD_STACK_CHECK_H
#define CULPRIT_RECORD_STACK_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hot.h"
#include "record/stacks/unwind.h"

/* Compare every interval-th stack of each thread; 0: no stack. Start-up only. */
void stack_check_start(uint32_t wanted);

/* Count a stack in the thread's own *n_stacks; true if it is due for comparison. Any thread. */
extern __attribute__((visibility("hidden"))) uint32_t stack_check_interval;
static inline bool stack_check_is_due(uint32_t *n_stacks)
{
	return UNLIKELY(stack_check_interval) && ++*n_stacks % stack_check_interval == 0;
}

/*
 * Compare the native stack with the id `stack`, just taken from `caller`. Slow, and for one thread
 * at a time: others wait. Slot owner only.
 */
void stack_check(const struct unwind_point *caller, uint32_t stack);

#endif
