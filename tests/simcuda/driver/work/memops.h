/*
 * memops.h - waits for, and writes of, 32- and 64-bit words in memory. All: lock held.
 */
#ifndef SIMCUDA_MEMOPS_H
#define SIMCUDA_MEMOPS_H

#include "work/work.h"

/* Can the next one of the list go on? An address that faults can: running it tells. */
bool memops_are_ready(const struct memops_work *work);

/* As work_run(): runs as many as can go on. */
CUresult memops_run(struct memops_work *work);

/* Would the list be accepted? */
CUresult memops_check(const CUstreamBatchMemOpParams *list, size_t count);

#endif
