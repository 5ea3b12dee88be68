/*
 * failure.h - the failure of the process: the first fault makes all its GPUs unusable. It happens
 * when an operation faults, and becomes visible to the application some time later.
 */
#ifndef SIMCUDA_FAILURE_H
#define SIMCUDA_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"

/* Instead of a context: the failure stops every device. */
#define EVERY_CONTEXT NULL

/*
 * Lock held. Fail the process with this code, by work of that context; calls return the code after
 * late_ms. Return true for the first failure; later ones are ignored until it is forgotten.
 */
bool failure_begin(CUresult code, unsigned late_ms, CUcontext context);

/*
 * Lock held. Like failure_begin(), but work continues normally until then. Other faults are
 * ignored meanwhile.
 */
bool failure_hide(CUresult code, unsigned late_ms);

/*
 * Lock held. A context is destroyed: with SIMCUDA_CONTAINED=1, forget its failure, so that the
 * process can fail again.
 */
void failure_forget(CUcontext context);

/* Lock held. A thread waits or queries: make a failure visible that was delayed until then. */
void failure_tell_waiter(void);

/*
 * Lock held. Wait until there is progress (return CUDA_SUCCESS: check again) or until a failure
 * becomes visible in the context (return its code).
 */
CUresult failure_wait_progress(CUcontext context);

/* True while a failure is hidden by failure_hide(). Any thread, no lock. */
bool failure_is_hidden(void);

/* True after a failure that is not hidden, visible to calls or not. Any thread, no lock. */
bool failure_has_happened(void);

/*
 * True if operations of that context's device may not start and running ones must stop. Other
 * devices finish their work, but calls submit no more. With SIMCUDA_CONTAINED=1, only the failed
 * context stops. Any thread, no lock.
 */
bool failure_stops(CUcontext context);

/*
 * Return the failure's code once calls in this context (NULL: without a context) return it, else
 * CUDA_SUCCESS. Any thread, no lock.
 */
CUresult failure_visible(CUcontext context);

/*
 * Return the time when the failure becomes visible. Valid after failure_tell_waiter(), and only if
 * failure_has_happened() or failure_is_hidden().
 */
uint64_t failure_visible_at_ns(void);

#endif
