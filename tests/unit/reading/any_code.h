/*
 * any_code.h - the GPU's code in a random bundle.
 */
#ifndef CULPRIT_TESTS_ANY_CODE_H
#define CULPRIT_TESTS_ANY_CODE_H

#include "model/any_state.h"

/* Give functions the names and images of a sample in this folder: tests/fixtures/code. */
void any_code_add(struct any_bundle *any, const char *folder);

/* Let launches be what the sample core dump "load" shows, more or less. */
void any_code_match_load(struct any_bundle *any);

#endif
