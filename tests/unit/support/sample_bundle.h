/*
 * sample_bundle.h - one rich bundle: what a report can show, all in one. For tests of reports, and
 * as the seed of the fuzzer.
 */
#ifndef CULPRIT_TESTS_SAMPLE_BUNDLE_H
#define CULPRIT_TESTS_SAMPLE_BUNDLE_H

#include "support/verdict_case.h"

/*
 * Ten launches of "scatter" on the legacy stream, of which #7 is the culprit; marked by `marker`.
 * Beside it: a non-blocking stream with a copy, and a stream that waits for the first. Named
 * ranges, modules and stacks. Ends with the failure row.
 */
struct verdict_case *sample_bundle(enum record_flags marker);

/*
 * The same, launched, allocated and seen by Python code in /home/user/project, through frames of
 * torch and line 4 of `generated`, a file of torch.compile's making.
 */
struct verdict_case *sample_python_bundle(enum record_flags marker, const char *generated);

/*
 * Suspects of three kinds: a launch in NVTX ranges, a copy, and a graph with two nodes. Beside
 * them a check of stacks that found one to be wrong.
 */
struct verdict_case *sample_mixed_bundle(void);

#endif
