/*
 * captures.h - is a stream capturing a graph? What is submitted to it then goes into the graph, not
 * to the GPU.
 */
#ifndef CULPRIT_RECORD_CAPTURES_H
#define CULPRIT_RECORD_CAPTURES_H

#include <stdbool.h>

#include "base/cuda_api.h"

/* A capture has begun, or ended in whatever way. Any thread. */
void captures_begun(void);
void captures_ended(void);

/*
 * The same for a capture into a command list of a graphics API, which cuStreamIsCapturing is not
 * said to tell. Any thread.
 */
void captures_begun_graphics(CUstream stream);
void captures_ended_graphics(CUstream stream);

/*
 * Does the stream capture? Asks the driver only while some capture of the process is under way; an
 * error of its answer counts as yes. Takes no lock. Any thread.
 */
bool captures_ask(CUstream stream);
extern __attribute__((visibility("hidden"))) int captures_under_way; /* atomic */
static inline bool captures_stream(CUstream stream)
{
	return __atomic_load_n(&captures_under_way, __ATOMIC_ACQUIRE) && captures_ask(stream);
}

/*
 * How far the calling thread's calls may disturb captures: the mode before. Whatever a thread of
 * the application captures, calls that are unsafe for a capture in GLOBAL mode would invalidate it;
 * RELAXED permits them to this thread, until the old mode is set again. Calls the driver. Any
 * thread.
 */
CUstreamCaptureMode captures_exchange_mode(CUstreamCaptureMode mode);

#endif
