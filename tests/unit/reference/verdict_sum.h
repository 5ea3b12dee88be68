/*
 * verdict_sum.h - all that a verdict says, as one number and as a line of text.
 */
#ifndef CULPRIT_TESTS_VERDICT_SUM_H
#define CULPRIT_TESTS_VERDICT_SUM_H

#include "attribution/verdict.h"

/* Return a number that depends on each member that a report can show. */
uint64_t verdict_sum(const struct verdict *verdict);

/* Print the verdict's main parts as a line, for a comparison of two builds. */
void verdict_sum_print(uint64_t number, const struct verdict *verdict);

#endif
