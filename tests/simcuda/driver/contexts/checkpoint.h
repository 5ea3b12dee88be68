/*
 * checkpoint.h - checkpoints of the process: lock, checkpoint, restore, unlock. All: lock held.
 */
#ifndef SIMCUDA_CHECKPOINT_H
#define SIMCUDA_CHECKPOINT_H

/* Wait while the process is locked. */
void checkpoint_await_unlock(void);

#endif
