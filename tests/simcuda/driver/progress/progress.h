/*
 * progress.h - the driver's private counters of the GPU's progress, with the layout seen on an H200
 * under driver 580.159. NVIDIA documents none of it, so tools have to find it.
 *
 * A channel is an in-order queue of the GPU. Streams are assigned to channels in turn; copies from
 * and to pinned memory have their own. Each submission takes the next number of its channel, its
 * payload. When the submission starts, the GPU writes the payload into the channel's counter. The
 * stream's tracker names the channel and payload of its newest submission before the call returns.
 * Kernels, and copies on the device, also have a kernel counter, which shows whether a use has
 * started or finished.
 *
 * All: lock held. All do nothing with SIMCUDA_PROGRESS=none.
 */
#ifndef SIMCUDA_PROGRESS_H
#define SIMCUDA_PROGRESS_H

#include <stdbool.h>

#include "objects.h"
#include "work/operation.h"

/* Start a context, before its streams. A green context uses its primary context's channels. */
void progress_begin(CUcontext context);

/* End a context and unmap its counters. A green context's remain until its streams end. */
void progress_end(CUcontext context);

/* Start a stream, and end an idle one that gets no more work. Ending it twice has no effect. */
void progress_stream_begin(CUstream stream);
void progress_stream_end(CUstream stream);

/* Note that the stream has accepted the operation. */
void progress_submitted(struct operation *operation);

/* True if everything that its channel accepted before has started. */
bool progress_may_begin(const struct operation *operation);

/*
 * Note that the operation starts; a second call has no effect. An operation that starts before its
 * turn in the channel is shown when its turn comes.
 */
void progress_begun(struct operation *operation);

/* Note that the operation is dropped without having started. */
void progress_dropped(struct operation *operation);

/* Note that the operation finished, and neither faulted nor was cut short. */
void progress_finished(const struct operation *operation);

/* Note a fault: the counter stays, or counts as finished with SIMCUDA_PROGRESS=ends. */
void progress_faulted(const struct operation *operation);

/*
 * Before a call returns `code`, a failure or CUDA_SUCCESS: return it, and for a failure first make
 * all delayed counter values visible (SIMCUDA_PROGRESS=lag=NS). GPUs were seen to do the same.
 */
CUresult progress_told(CUresult code);

#endif
