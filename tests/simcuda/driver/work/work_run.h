/*
 * work_run.h - what is done with works of any kind. All: lock held.
 */
#ifndef SIMCUDA_WORK_RUN_H
#define SIMCUDA_WORK_RUN_H

#include "work/work.h"

/* A deep copy; not of WORK_GRAPH, which nobody copies. */
struct work work_copy(const struct work *work);

/* Gives back what the work owns. Accepts WORK_EMPTY. */
void work_release(struct work *work);

/* Could it run (or go on) now? Everything but waits always can. */
bool work_is_ready(const struct work *work);

/* Does its readiness depend on memory that anyone may change without telling us? */
bool work_polls(const struct work *work);

/* Releases the lock while it runs. Else the code of the fault, or CUDA_SUCCESS. */
CUresult work_run(struct work *work);

#endif
