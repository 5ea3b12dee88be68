/*
 * coredump_sample.h - the bundle of a process that might have left fixtures/coredumps/load.
 */
#ifndef CULPRIT_TESTS_COREDUMP_SAMPLE_H
#define CULPRIT_TESTS_COREDUMP_SAMPLE_H

#include "support/verdict_case.h"

/*
 * Three streams without markers, dumps on. #4 and #7 launch bad_load with the same shape; #7 has
 * the parameters of the dump. All is synced, as the driver may pretend.
 */
struct verdict_case *coredump_sample(void);

#endif
