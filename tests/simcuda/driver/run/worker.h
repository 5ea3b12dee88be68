/*
 * worker.h - the threads that play the GPU's hardware queues. All: lock held.
 */
#ifndef SIMCUDA_WORKER_H
#define SIMCUDA_WORKER_H

/* A stream has got an operation more. Starts the workers at the first one. */
void worker_wake(void);

#endif
