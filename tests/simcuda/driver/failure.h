/*
 * failure.h - the one failure of the process: every GPU of it is lost to the first fault. It
 * happens when an operation faults and becomes visible to the application some time later.
 */
#ifndef SIMCUDA_FAILURE_H
#define SIMCUDA_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda_api.h"

/*
 * Lock held. The process has failed with code; calls tell so from late_ms on. True for the first
 * failure, which alone counts.
 */
bool failure_begin(CUresult code, unsigned late_ms);

/*
 * Lock held. As failure_begin, but until then work goes on as if nothing had happened. Meanwhile
 * other faults do not count.
 */
bool failure_hide(CUresult code, unsigned late_ms);

/* Is there one that is still hidden? Any thread, no lock. */
bool failure_is_hidden(void);

/* From now on no operation starts and running ones stop. Any thread, no lock. */
bool failure_has_happened(void);

/* The code that calls return, CUDA_SUCCESS as long as none does. Any thread, no lock. */
CUresult failure_visible(void);

/* Meaningful once failure_has_happened() or failure_is_hidden(). */
uint64_t failure_visible_at_ns(void);

#endif
