/*
 * captures.h - is a stream capturing a graph? What is submitted to it then goes into the graph, not
 * to the GPU.
 */
#ifndef CULPRIT_RECORD_CAPTURES_H
#define CULPRIT_RECORD_CAPTURES_H

#include <stdbool.h>

#include "cuda_api.h"

/* A capture has begun, or ended in whatever way. Any thread. */
void captures_begun(void);
void captures_ended(void);

/*
 * Does the stream capture? Asks the driver only while some capture of the process is under way; an
 * error of its answer counts as yes. Takes no lock. Any thread.
 */
bool captures_stream(CUstream stream);

#endif
