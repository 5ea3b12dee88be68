/*
 * queue.h - streams as queues of operations, and the workers that run them. All: lock held.
 */
#ifndef SIMCUDA_QUEUE_H
#define SIMCUDA_QUEUE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "objects.h"
#include "work/work.h"

/*
 * Appends the work, of which the queue takes ownership in any case. Blocks while the stream is
 * full; after a failure the stream never empties, so the failure's code ends the wait.
 */
CUresult queue_submit(CUstream stream, struct work *work);

/* Wait until all that was accepted before is done; or a failure's code. */
CUresult queue_wait_stream(CUstream stream);
CUresult queue_wait_context(CUcontext context);
CUresult queue_wait_completion(struct completion *completion, CUcontext context);

/* Has all that a synchronisation of the stream would wait for been done? */
bool queue_is_idle(CUstream stream);

/* What a question gets that is answered with no. */
CUresult queue_unfinished(CUcontext context);

/* After a failure: what never started is dropped. Running operations stay until they stop. */
void queue_drop(CUstream stream);

#endif
