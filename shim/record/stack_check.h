/*
 * stack_check.h - doubts the stacks: compares some of them with a full walk of our own and with the
 * C library's unwinder (CULPRIT_STACK_CHECK). Differences are counted in the journal, and nothing
 * else happens: the stack stays as it was taken.
 */
#ifndef CULPRIT_RECORD_STACK_CHECK_H
#define CULPRIT_RECORD_STACK_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind.h"

/* Every interval-th stack of each thread is compared; 0: none. Start-up only. */
void stack_check_start(uint32_t interval);

/* Counts a stack in *n_stacks, which is the thread's own: is it to be compared? Any thread. */
bool stack_check_is_due(uint32_t *n_stacks);

/*
 * Compares the native stack with the id `stack`, just taken from `caller`. Slow, and for one thread
 * at a time: others wait. Slot owner only.
 */
void stack_check(const struct unwind_point *caller, uint32_t stack);

#endif
