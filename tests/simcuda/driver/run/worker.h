/*
 * worker.h - the threads that simulate the GPU's hardware queues. All: lock held.
 */
#ifndef SIMCUDA_WORKER_H
#define SIMCUDA_WORKER_H

#include <stdbool.h>

#include "work/operation.h"

/*
 * Run the operation just appended, if it is one write to memory and nothing keeps it waiting. A GPU
 * is done with it in a microsecond. A worker would have to wake up, for which culprit does not wait
 * long enough on a busy machine. False: a worker has to run it.
 */
bool worker_settle(const struct operation *operation);

/* Wake a worker after an operation was appended. The first call starts the workers. */
void worker_wake(void);

#endif
