/*
 * work_run.h - run, copy and release work of any kind. All: lock held.
 */
#ifndef SIMCUDA_WORK_RUN_H
#define SIMCUDA_WORK_RUN_H

#include "work/work.h"

/* Return a deep copy. WORK_GRAPH cannot be copied. */
struct work work_copy(const struct work *work);

/* Free everything that the work owns. Accepts WORK_EMPTY. */
void work_release(struct work *work);

/* True if the work can run or continue now; only waits cannot. */
bool work_is_ready(const struct work *work);

/* True if its readiness depends on memory that may change without a notification. */
bool work_polls(const struct work *work);

/*
 * Run the work; the lock is released meanwhile. Return CUDA_SUCCESS, the code of a fault,
 * WORK_UNFINISHED or WORK_CUT_SHORT.
 */
CUresult work_run(struct work *work);

#endif
