/*
 * cost_rare.h - parts of stack_cost. Each prints lines of words and numbers for scripts/bench.
 */
#ifndef CULPRIT_TESTS_STACK_COST_RARE_H
#define CULPRIT_TESTS_STACK_COST_RARE_H

/* "first DEPTH NS" and "second DEPTH NS" for each of n_threads new threads. */
void cost_threads(int n_threads);

/* "unique N_STACKS N_NODES BYTES": how the journal and the index grow with unique stacks. */
void cost_unique(long n_stacks);

#endif
