/*
 * worker.h - the threads that play the GPU's hardware queues. All: lock held.
 */
#ifndef SIMCUDA_WORKER_H
#define SIMCUDA_WORKER_H

#include "objects.h"

/* The stream has got an operation more. Starts the workers at the first one. */
void worker_stream_filled(CUstream stream);

/* The stream has none left: nothing for a worker to look at. */
void worker_stream_emptied(CUstream stream);

#endif
