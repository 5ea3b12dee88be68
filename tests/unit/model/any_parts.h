/*
 * any_parts.h - what the work of a random bundle uses.
 */
#ifndef CULPRIT_TESTS_ANY_PARTS_H
#define CULPRIT_TESTS_ANY_PARTS_H

#include "model/any_state.h"

/* Add contexts, streams with their counters, functions, memory, a module, graphs and calls. */
void any_parts_add(struct any_bundle *any);

#endif
