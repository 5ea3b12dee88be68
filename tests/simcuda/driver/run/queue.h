/*
 * queue.h - streams as queues of operations: submit and wait. All: lock held.
 */
#ifndef SIMCUDA_QUEUE_H
#define SIMCUDA_QUEUE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "objects.h"
#include "work/work.h"

/*
 * Append the work; the queue takes ownership of it, also after an error. Blocks while the stream is
 * full. After a failure the stream never empties, so the failure's code ends the wait.
 */
CUresult queue_submit(CUstream stream, struct work *work);

/*
 * Wait until all operations accepted before, or a completion, are done. Return the code of a
 * failure that becomes visible in the context.
 */
CUresult queue_wait_stream(CUstream stream);
CUresult queue_wait_context(CUcontext context);
CUresult queue_wait_completion(struct completion *completion, CUcontext context);

/* True if a synchronisation of the stream would return at once. */
bool queue_is_idle(CUstream stream);

/* Return the result of a query for unfinished work: CUDA_ERROR_NOT_READY or a failure's code. */
CUresult queue_unfinished(CUcontext context);

/* After a failure, drop the operations that have not started. Running ones stay until they stop. */
void queue_drop(CUstream stream);

#endif
