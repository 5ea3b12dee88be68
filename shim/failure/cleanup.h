/*
 * cleanup.h - what calls that give something back return after a failure.
 */
#ifndef CULPRIT_FAILURE_CLEANUP_H
#define CULPRIT_FAILURE_CLEANUP_H

#include <stdbool.h>

#include "base/driver_calls.h"
#include "base/settings.h"

struct thread;

/* What cleanup calls return after a failure. Start-up only. */
void cleanup_start(enum cleanup_policy wanted);

/*
 * What the application sees of a call that the driver answered with `result`, which is no success.
 * Once the program has received the failure's error, and only then, a cleanup call's echo of it
 * (the sticky code, a context or a handle that is gone) becomes CUDA_SUCCESS and is counted: the
 * object went with its context, and the error would only hide the first one. An echo that is not a
 * sticky code stays where it may be a mistake in a context that is sound. was_received: of
 * failed_contexts_are_received() when the driver's call had returned. The driver was called all the
 * same, so that what it still does properly (destroying contexts, unmapping, releasing) is done. No
 * other call's error changes. Slot owner only; no lock held.
 */
CUresult cleanup_result(struct thread *thread, enum driver_call id, CUresult result,
			bool was_received);

#endif
