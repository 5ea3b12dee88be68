/*
 * failure.h - the one failure of the process: every GPU of it is lost to the first fault. It
 * happens when an operation faults and becomes visible to the application some time later.
 */
#ifndef SIMCUDA_FAILURE_H
#define SIMCUDA_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"

/* In place of a context: a failure that stops every device. */
#define EVERY_CONTEXT NULL

/*
 * Lock held. The process has failed with code, by work of that context; calls tell so from late_ms
 * on. True for the first failure, which alone counts until it is forgotten.
 */
bool failure_begin(CUresult code, unsigned late_ms, CUcontext context);

/*
 * Lock held. As failure_begin, but until then work goes on as if nothing had happened. Meanwhile
 * other faults do not count.
 */
bool failure_hide(CUresult code, unsigned late_ms);

/*
 * Lock held. The context is destroyed: with SIMCUDA_CONTAINED=1 its failure ends with it, and the
 * process can fail again.
 */
void failure_forget(CUcontext context);

/* Lock held. Somebody waits or asks: who has waited for that is told now. */
void failure_tell_waiter(void);

/*
 * Lock held. Waits until something has changed, or until a failure becomes visible in the context:
 * then its code. CUDA_SUCCESS says to look again.
 */
CUresult failure_wait_progress(CUcontext context);

/* Is there one that is still hidden? Any thread, no lock. */
bool failure_is_hidden(void);

/* Any thread, no lock. */
bool failure_has_happened(void);

/*
 * No operation of that context's device starts any more, and running ones stop. Other devices go on
 * with what they have: no call gives them more. With SIMCUDA_CONTAINED=1 only the failed context
 * stops. Any thread, no lock.
 */
bool failure_stops(CUcontext context);

/*
 * The code that calls in this context (NULL: in none) return, CUDA_SUCCESS as long as none does.
 * Any thread, no lock.
 */
CUresult failure_visible(CUcontext context);

/* Meaningful once failure_has_happened() or failure_is_hidden(), after failure_tell_waiter(). */
uint64_t failure_visible_at_ns(void);

#endif
