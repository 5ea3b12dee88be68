/*
 * kernel_run.h - runs a kernel's grid on the calling worker.
 */
#ifndef SIMCUDA_KERNEL_RUN_H
#define SIMCUDA_KERNEL_RUN_H

#include "work/work.h"

/* Lock not held. Notes in the work which thread faults. The code of the fault, WORK_CUT_SHORT, or
 * CUDA_SUCCESS. Workers only. */
CUresult kernel_run(struct kernel_work *work);

#endif
