/*
 * any_fault.h - what is known of the failure in a random bundle.
 */
#ifndef CULPRIT_TESTS_ANY_FAULT_H
#define CULPRIT_TESTS_ANY_FAULT_H

#include "model/any_state.h"

/* Add the failure, the fault, facts of code and a core dump; without a failure, maybe a hang. */
void any_fault_add(struct any_bundle *any);

#endif
