/*
 * left_calls.h - what calls have not recorded yet when a story ends: they have not returned, or
 * their work gets its ordinal later.
 */
#ifndef CULPRIT_TESTS_LEFT_CALLS_H
#define CULPRIT_TESTS_LEFT_CALLS_H

#include "model/model_state.h"

/* Leave such calls in a story that ends, before the failure is written. */
void left_calls_leave(struct gpu_model *model);

#endif
