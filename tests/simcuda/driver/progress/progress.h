/*
 * progress.h - what the driver keeps for itself of how far the GPU is, laid out as seen on an H200
 * under driver 580.159; none of it is documented by NVIDIA, so tools have to find it.
 *
 * A channel is an in-order queue of the GPU. Streams use them by turns, copies from and to pinned
 * memory have their own. Each submission takes the next number of its channel, its payload, which
 * the GPU writes into the channel's word when it begins. The stream's tracker names the channel and
 * payload of its newest submission before the call returns. Kernels, and copies on the device, have
 * besides a word that tells a use that has begun from one that has finished.
 *
 * All: lock held. All do nothing with SIMCUDA_PROGRESS=none.
 */
#ifndef SIMCUDA_PROGRESS_H
#define SIMCUDA_PROGRESS_H

#include <stdbool.h>

#include "objects.h"
#include "work/operation.h"

/* A context that begins (again), before its streams. A green one has its primary one's channels. */
void progress_begin(CUcontext context);

/* The context ends, and its words with it; of a green one they live as long as its streams do. */
void progress_end(CUcontext context);

/* A stream that begins, and one that will get no more work and has none. Again is harmless. */
void progress_stream_begin(CUstream stream);
void progress_stream_end(CUstream stream);

/* The stream has accepted the operation. */
void progress_submitted(struct operation *operation);

/* Has all begun that its channel has accepted before? */
bool progress_may_begin(const struct operation *operation);

/*
 * It begins; again is harmless. What begins before its turn all the same is shown when that comes.
 */
void progress_begun(struct operation *operation);

/* It will not begin, and goes. */
void progress_dropped(struct operation *operation);

/* It has finished; never called for one that faulted or was cut short. */
void progress_finished(const struct operation *operation);

/* It has faulted: its word stays, but with SIMCUDA_PROGRESS=ends. */
void progress_faulted(const struct operation *operation);

/*
 * A call is about to tell of the failure, or of none: returns the code. What the GPU has written by
 * then is there, with SIMCUDA_PROGRESS=lag=NS too: no GPU was seen to tell sooner.
 */
CUresult progress_told(CUresult code);

#endif
