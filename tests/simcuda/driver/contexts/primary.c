/*
 * primary.c - the primary context of each device, with a count of retains.
 */
#include "contexts/context.h"
#include "entry.h"
#include "failure/failure.h"
#include "objects.h"
#include "progress/progress.h"
#include "sim.h"

enum { MAX_DEVICES = 64 };

/* Guarded by sim_lock. */
static struct {
	CUcontext context; /* NULL: not active */
	CUcontext last;    /* the previous one; its handle is reused, as in the real driver */
	unsigned n_retained, flags;
	bool is_ending; /* waiting for its work, with the lock released */
} primaries[MAX_DEVICES];

static bool is_device(CUdevice device)
{
	return context_is_device(device) && device < MAX_DEVICES;
}

static void activate(CUdevice device)
{
	CUcontext last = primaries[device].last;
	if (last)
		context_revive(last);
	else
		last = context_create(device, primaries[device].flags, true);
	last->flags = primaries[device].flags;
	primaries[device].context = primaries[device].last = last;
}

static void wait_for_end(CUdevice device)
{
	while (primaries[device].is_ending)
		pthread_cond_wait(&sim_progress, &sim_lock);
}

CUresult sim_cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev)
{
	if (!pctx)
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_device(dev))
		return CUDA_ERROR_INVALID_DEVICE;
	wait_for_end(dev);
	/* A context that is active is retained even after a failure: seen on an H100 (580.159.04).
	 */
	if (!primaries[dev].context) {
		CUresult failed = progress_told(failure_visible(context_current()));
		if (failed != CUDA_SUCCESS)
			return failed;
		activate(dev);
	}
	primaries[dev].n_retained++;
	*pctx = primaries[dev].context;
	return CUDA_SUCCESS;
}

static void reset(CUdevice device)
{
	CUcontext context = primaries[device].context;
	primaries[device].context = NULL;
	primaries[device].n_retained = 0;
	if (!context)
		return;
	primaries[device].is_ending = true;
	context_destroy(context);
	primaries[device].is_ending = false;
	sim_tell_progress();
}

CUresult sim_cuDevicePrimaryCtxRelease_v2(CUdevice dev)
{
	if (!is_device(dev))
		return CUDA_ERROR_INVALID_DEVICE;
	if (primaries[dev].n_retained == 0)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (--primaries[dev].n_retained == 0)
		reset(dev);
	return CUDA_SUCCESS;
}

CUresult sim_cuDevicePrimaryCtxRelease(CUdevice dev)
{
	return sim_cuDevicePrimaryCtxRelease_v2(dev);
}

CUresult sim_cuDevicePrimaryCtxReset_v2(CUdevice dev)
{
	if (!is_device(dev))
		return CUDA_ERROR_INVALID_DEVICE;
	reset(dev);
	return CUDA_SUCCESS;
}

CUresult sim_cuDevicePrimaryCtxReset(CUdevice dev)
{
	return sim_cuDevicePrimaryCtxReset_v2(dev);
}

CUresult sim_cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags)
{
	if (!is_device(dev))
		return CUDA_ERROR_INVALID_DEVICE;
	primaries[dev].flags = flags;
	if (primaries[dev].context)
		primaries[dev].context->flags = flags;
	return CUDA_SUCCESS;
}

CUresult sim_cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags)
{
	return sim_cuDevicePrimaryCtxSetFlags_v2(dev, flags);
}

CUresult sim_cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active)
{
	if (!is_device(dev))
		return CUDA_ERROR_INVALID_DEVICE;
	if (!flags || !active)
		return CUDA_ERROR_INVALID_VALUE;
	*flags = primaries[dev].flags;
	*active = primaries[dev].context != NULL;
	return CUDA_SUCCESS;
}
