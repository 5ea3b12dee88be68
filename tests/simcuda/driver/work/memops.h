/*
 * memops.h - memory operations: waits for and writes of 32- and 64-bit words. All: lock held.
 */
#ifndef SIMCUDA_MEMOPS_H
#define SIMCUDA_MEMOPS_H

#include "work/work.h"

/* True if the next operation of the list can run. One with a bad address can, and then faults. */
bool memops_are_ready(const struct memops_work *work);

/* Run as many operations as possible. Returns like work_run(). */
CUresult memops_run(struct memops_work *work);

/* Return CUDA_SUCCESS if the driver accepts the list, else its error. */
CUresult memops_check(const CUstreamBatchMemOpParams *list, size_t count);

#endif
