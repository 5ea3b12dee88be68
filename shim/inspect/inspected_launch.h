/*
 * inspected_launch.h - one launch whose memory is looked at.
 */
#ifndef CULPRIT_INSPECT_INSPECTED_LAUNCH_H
#define CULPRIT_INSPECT_INSPECTED_LAUNCH_H

#include <stdbool.h>

#include "base/cuda_api.h"

struct driver;

/* The launch as it was asked for; `stream` is never the per-thread stream's 0. */
struct launch_inspected {
	CUfunction function;
	CUstream stream;
	void **parameters;
	void **extra;
};

/* Which driver is asked. False: there is no memory for it. Start-up only. */
bool inspected_launch_start(const struct driver *driver);

/*
 * Waits for the stream and copies what is there before. False: the launch is not inspected, since
 * another one is, or something was refused. Calls the driver. Within a launch of this thread only.
 */
bool inspected_launch_begin(const struct launch_inspected *launch);

/* What is there afterwards, into the file; after a begin that gave true. */
void inspected_launch_end(const struct launch_inspected *launch, CUresult result);

#endif
