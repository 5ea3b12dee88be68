/*
 * sample_large.h - many submissions, for code that must cope with them.
 */
#ifndef CULPRIT_TESTS_SAMPLE_LARGE_H
#define CULPRIT_TESTS_SAMPLE_LARGE_H

#include "support/verdict_case.h"

/* `n_works` launches of two kernels on eight streams that wait for each other; it has failed. */
struct verdict_case *sample_large_bundle(uint32_t n_works);

#endif
