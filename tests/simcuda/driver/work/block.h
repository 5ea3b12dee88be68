/*
 * block.h - the threads of one block on one worker.
 */
#ifndef SIMCUDA_BLOCK_H
#define SIMCUDA_BLOCK_H

#include "simcuda_abi.h"

/* Inside fault_guard(). Runs every thread of the block; thread's block_dim says how many. */
void block_run(struct simcuda_thread *thread, const struct simcuda_kernel *kernel, void **params);

/* Called by kernel code: goes on once all threads of the block that still run have called it. */
void block_sync_threads(void);

/* Outside fault_guard(): a fault may have left a block half-run. Harmless if none was. */
void block_abandon(void);

#endif
