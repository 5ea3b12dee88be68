/*
 * kernel_run.h - run a kernel's grid on the calling worker.
 */
#ifndef SIMCUDA_KERNEL_RUN_H
#define SIMCUDA_KERNEL_RUN_H

#include "work/work.h"

/*
 * Allocate the shared memory of the calling worker's blocks, once, or abort the process. Takes no
 * lock.
 */
void kernel_prepare_thread(void);

/*
 * Run the kernel and note a thread that faults in `work`. Return CUDA_SUCCESS, the code of the
 * fault, or WORK_CUT_SHORT. Workers only, lock not held.
 */
CUresult kernel_run(struct kernel_work *work);

#endif
