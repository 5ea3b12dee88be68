/*
 * cost.h - the parts of stack_cost. Each prints lines of words and numbers for scripts/bench.
 */
#ifndef CULPRIT_TESTS_STACK_COST_H
#define CULPRIT_TESTS_STACK_COST_H

#include "thread.h"

#define NOINLINE __attribute__((noinline))

double now_ns(void);

/* A fresh thread's state, as the shim makes it. */
struct thread *fresh_thread(void);

/* Takes the stack of its caller by culprit, for the state that is set by the tests of one thread.
 */
uint32_t capture_own(struct thread *thread);

/* "first DEPTH NS" and "second DEPTH NS" for each of n_threads new threads. */
void cost_threads(int n_threads);

/* "unique N_STACKS N_NODES BYTES": how the journal and the index grow with unique stacks. */
void cost_unique(long n_stacks);

#endif
