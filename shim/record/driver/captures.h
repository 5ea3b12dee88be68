/*
 * captures.h - whether a stream is capturing a graph. Work submitted to it then goes into the
 * graph, not to the GPU.
 */
#ifndef CULPRIT_RECORD_CAPTURES_H
#define CULPRIT_RECORD_CAPTURES_H

#include <stdbool.h>

#include "base/cuda_api.h"

/* A capture has started, or finished in whatever way. Any thread. Signal-safe. */
void captures_started(void);
void captures_finished(void);

/*
 * The same for a capture into a command list of a graphics API, which cuStreamIsCapturing is not
 * documented to report. Any thread.
 */
void captures_started_graphics(CUstream stream);
void captures_finished_graphics(CUstream stream);

/*
 * True if the stream is capturing. Asks the driver only while the process has a capture under way;
 * an error of the driver's answer counts as yes. Takes no lock. Any thread.
 */
bool captures_ask(CUstream stream);
extern __attribute__((visibility("hidden"))) int captures_under_way; /* atomic */
static inline bool captures_stream(CUstream stream)
{
	return __atomic_load_n(&captures_under_way, __ATOMIC_ACQUIRE) && captures_ask(stream);
}

/*
 * Set the calling thread's capture mode, and return the old one. In GLOBAL mode, unsafe calls would
 * invalidate any capture of the application's threads. RELAXED permits such calls to this thread,
 * until the old mode is set again. Calls the driver. Any thread.
 */
CUstreamCaptureMode captures_exchange_mode(CUstreamCaptureMode mode);

#endif
