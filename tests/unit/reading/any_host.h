/*
 * any_host.h - what a random bundle has of the host: stacks, and records that verdicts do not read.
 */
#ifndef CULPRIT_TESTS_ANY_HOST_H
#define CULPRIT_TESTS_ANY_HOST_H

#include "model/any_state.h"

/* Return an element of an array. */
#define ANY_OF(any, list) ((list)[any_pick(any, sizeof(list) / sizeof(*(list)))])

/* Add modules, Python's functions, and stacks of both. */
void any_stacks_add(struct any_bundle *any);

/* Return the id of a stack, which may be missing. */
uint32_t any_stack(struct any_bundle *any);

/* Write each ring again, with further records between the old ones. */
void any_records_add(struct any_bundle *any);

#endif
