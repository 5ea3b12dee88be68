/*
 * inspected_launch.h - one launch whose memory is recorded.
 */
#ifndef CULPRIT_INSPECT_INSPECTED_LAUNCH_H
#define CULPRIT_INSPECT_INSPECTED_LAUNCH_H

#include <stdbool.h>

#include "base/cuda_api.h"

struct driver;

/* The requested launch; `stream` is never 0 for the per-thread stream. */
struct launch_inspected {
	CUfunction function;
	CUstream stream;
	void **parameters;
	void **extra;
};

/* Set the driver to call. False: out of memory. Start-up only. */
bool inspected_launch_start(const struct driver *driver);

/*
 * Wait for the stream and copy the memory before the launch. False: the launch is not inspected,
 * because another one is, or something was refused. Calls the driver. Within a launch of this
 * thread only.
 */
bool inspected_launch_begin(const struct launch_inspected *launch);

/* Copy the memory after the launch, and write the file; after a begin that returned true. */
void inspected_launch_end(const struct launch_inspected *launch, CUresult result);

#endif
