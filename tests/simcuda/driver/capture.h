/*
 * capture.h - streams that record their operations into a graph instead of running them. All: lock
 * held.
 */
#ifndef SIMCUDA_CAPTURE_H
#define SIMCUDA_CAPTURE_H

#include <stdbool.h>

#include "objects.h"
#include "work.h"

/*
 * For calls that could disturb a capture. CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED if one is under
 * way that forbids them to this thread; it is then invalid.
 */
CUresult capture_check_unsafe_call(void);

/*
 * For calls on a stream that cannot be captured (synchronise, query, launch a graph: driver
 * 580.159, H200): as above if the stream is
 * capturing, whatever its mode.
 */
CUresult capture_check_uncapturable(CUstream stream);

/*
 * Work on the legacy stream would depend on blocking streams of its context that capture: an error,
 * which invalidates those captures.
 */
CUresult capture_check_legacy(CUstream stream);

/* Hands the work to the capturing stream's graph, which takes ownership of it in any case. */
CUresult capture_add(CUstream stream, struct work *work);

/* The event now stands for what the capturing stream has recorded. */
CUresult capture_record_event(CUstream stream, CUevent event);

/*
 * The stream waits for the event, and one of them belongs to a capture: joins the stream to it, or
 * adds the dependency. Returns false if neither does.
 */
bool capture_handles_wait(CUstream stream, CUevent event, CUresult *out_result);

/* The event was recorded by a capture: it cannot be queried. Invalidates that capture. */
CUresult capture_check_event(CUevent event);

/* The event is no longer (or was never) recorded by a capture. */
void capture_forget_event(CUevent event);

/* The stream is destroyed: its capture cannot be completed. Harmless if it has none. */
void capture_abandon_stream(CUstream stream);

#endif
