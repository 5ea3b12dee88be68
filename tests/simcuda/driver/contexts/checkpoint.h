/*
 * checkpoint.h - the process's own checkpoint: locked, checkpointed, restored, unlocked. All: lock
 * held.
 */
#ifndef SIMCUDA_CHECKPOINT_H
#define SIMCUDA_CHECKPOINT_H

/* Waits for as long as the process is locked. */
void checkpoint_await_unlock(void);

#endif
