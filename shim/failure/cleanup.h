/*
 * cleanup.h - the result of clean-up calls after a failure.
 */
#ifndef CULPRIT_FAILURE_CLEANUP_H
#define CULPRIT_FAILURE_CLEANUP_H

#include <stdbool.h>

#include "base/driver_calls.h"
#include "base/settings.h"

struct thread;

/* Set what clean-up calls return after a failure. Start-up only. */
void cleanup_start(enum cleanup_policy wanted);

/*
 * Return the result that the application sees of a call that the driver answered with `result`,
 * an error. A clean-up call's echo of the failure becomes CUDA_SUCCESS and is counted, but only
 * after the program has received the failure's error. An echo is the sticky code, or the error of a
 * destroyed context or handle: the object went with its context, and the echo would only hide the
 * first error. An echo other than a sticky code stays if it may be a mistake in a sound context.
 * was_received: failed_contexts_are_received() when the driver's call returned. The driver has been
 * called in any case, so what it still does properly (destroying contexts, unmapping, releasing) is
 * done. Errors of other calls are unchanged. Slot owner only; no lock held.
 */
CUresult cleanup_result(struct thread *thread, enum driver_call id, CUresult result,
			bool was_received);

#endif
