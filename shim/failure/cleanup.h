/*
 * cleanup.h - what calls that give something back return after a failure.
 */
#ifndef CULPRIT_FAILURE_CLEANUP_H
#define CULPRIT_FAILURE_CLEANUP_H

#include "base/driver_calls.h"
#include "base/settings.h"

struct thread;

/* What cleanup calls return after a failure. Start-up only. */
void cleanup_start(enum cleanup_policy wanted);

/*
 * What the application sees of a call that the driver answered with `result`, which is no success.
 * After the failure, and only then, a cleanup call's echo of it (the sticky code, a context or a
 * handle that is gone) becomes CUDA_SUCCESS and is counted: the object went with its context, and
 * the error would only hide the first one. The driver was
 * called all the same, so that what it still does properly (destroying contexts, unmapping,
 * releasing) is done. No other call's error changes. Slot owner only.
 */
CUresult cleanup_result(struct thread *thread, enum driver_call id, CUresult result);

#endif
