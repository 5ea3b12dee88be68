/*
 * worker.h - the threads that simulate the GPU's hardware queues. All: lock held.
 */
#ifndef SIMCUDA_WORKER_H
#define SIMCUDA_WORKER_H

/* Wake a worker after an operation was appended. The first call starts the workers. */
void worker_wake(void);

#endif
