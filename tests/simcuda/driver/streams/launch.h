/*
 * launch.h - convert the arguments of a launch to work. Lock held.
 */
#ifndef SIMCUDA_LAUNCH_H
#define SIMCUDA_LAUNCH_H

#include <stdbool.h>

#include "work/work.h"

/* The description of a launch, common to all launch calls and kernel nodes. */
struct launch_request {
	const void *function; /* a CUfunction or CUkernel */
	struct simcuda_dim grid, block, cluster;
	unsigned shared_bytes;
	void **params, **extra;
	bool is_cooperative, is_programmatic;
};

/* Check a launch and make its work. Return the driver's code if the launch is impossible. */
CUresult launch_make_work(const struct launch_request *request, struct work *out_work);

#endif
