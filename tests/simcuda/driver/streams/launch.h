/*
 * launch.h - from the arguments of a launch to its work. Lock held.
 */
#ifndef SIMCUDA_LAUNCH_H
#define SIMCUDA_LAUNCH_H

#include <stdbool.h>

#include "work/work.h"

/* A launch as all of its calls and the kernel nodes of graphs describe it. */
struct launch_request {
	const void *function; /* a CUfunction or CUkernel */
	struct simcuda_dim grid, block, cluster;
	unsigned shared_bytes;
	void **params, **extra;
	bool is_cooperative, is_programmatic;
};

/* The driver's code if such a launch is impossible. */
CUresult launch_make_work(const struct launch_request *request, struct work *out_work);

#endif
