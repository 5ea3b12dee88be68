/*
 * any_rows.h - what only readers see of a random bundle of model/any_bundle.h: stacks, Python
 * frames, NVTX ranges, names, allocations, checks, rejections, snapshots, code and lost rows.
 */
#ifndef CULPRIT_TESTS_ANY_ROWS_H
#define CULPRIT_TESTS_ANY_ROWS_H

#include "model/any_state.h"

/* Add rows of each table, and change some that are there. */
void any_rows_add(struct any_bundle *any);

/* Add results of checks, for one of two runs that are compared: the other one differs a little. */
void any_checks_add(struct any_bundle *any, bool is_other_run);

#endif
