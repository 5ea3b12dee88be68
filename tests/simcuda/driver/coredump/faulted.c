/*
 * faulted.c - find the kernel in which an operation faulted, and whether its warp was lost.
 */
#include "coredump/faulted.h"

#include "coredump/coredump_drivers.h"
#include "objects.h"
#include "settings.h"
#include "work/work.h"

/* Return the work that ran; in a graph, that of the node. */
static const struct work *work_of(const struct operation *operation)
{
	const struct work *work = &operation->work;
	while (work->kind == WORK_GRAPH)
		work = work->graph->current;
	return work;
}

const struct kernel_work *faulted_kernel(const struct operation *operation)
{
	const struct work *work = work_of(operation);
	return work->kind == WORK_KERNEL ? &work->kernel : coredump_drivers_kernel(work);
}

/*
 * Only a warp that stores can continue and leave the GPU. A load waits for its data, and so do the
 * driver's copy kernels.
 */
bool faulted_lost_warp(const struct operation *operation, CUresult code)
{
	const struct work *work = work_of(operation);
	return settings.coredump.is_gone && code == CUDA_ERROR_ILLEGAL_ADDRESS &&
	       work->kind == WORK_KERNEL && !work->kernel.data_run && !work->kernel.is_load;
}
