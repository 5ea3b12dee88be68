/*
 * block.h - run the threads of one block on one worker.
 */
#ifndef SIMCUDA_BLOCK_H
#define SIMCUDA_BLOCK_H

#include "simcuda_abi.h"

/* Run every thread of the block, as many as thread->block_dim says. Inside fault_guard(). */
void block_run(struct simcuda_thread *thread, const struct simcuda_kernel *kernel, void **params);

/* The barrier that kernel code calls: wait until all running threads of the block call it. */
void block_sync_threads(void);

/* Discard a block that a fault interrupted, if any. Outside fault_guard(). */
void block_abandon(void);

#endif
