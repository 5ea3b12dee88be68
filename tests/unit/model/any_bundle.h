/*
 * any_bundle.h - random bundles with a little of all that a bundle may have: work of each kind,
 * nodes of graphs, arguments, memory, counters, facts of code, the fault and a core dump. Most
 * parts fit each other, some do not, and some rows are damaged. There is no culprit: what the
 * verdict should be is not known.
 */
#ifndef CULPRIT_TESTS_ANY_BUNDLE_H
#define CULPRIT_TESTS_ANY_BUNDLE_H

#include "model/any_state.h"

/* Make the bundle of this number. The caller ends the builder. Facts are valid while *out is. */
void any_bundle_make(struct any_bundle *out, uint64_t number);

#endif
