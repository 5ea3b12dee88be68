/*
 * green.c - green contexts and the device resources that they are created with, as cuda.h describes
 * them. Multiprocessors are not simulated, so a resource is only their number.
 */
#include "contexts/context.h"
#include "contexts/context_events.h"
#include "entry.h"
#include "handles.h"
#include "objects.h"
#include "sim.h"
#include "streams/stream.h"

/* Multiprocessors of an H200, and the smallest group that can be split off. */
enum { N_MULTIPROCESSORS = 132, SMALLEST_GROUP = 8 };

struct CUgreenCtx_st {
	CUcontext context;
	CUdevResource resource;
};

/* Descriptors are leaked, because CUDA has no call that frees one. */
struct CUdevResourceDesc_st {
	CUdevResource resource;
};

static CUdevResource multiprocessors(unsigned count)
{
	return (CUdevResource){.type = CU_DEV_RESOURCE_TYPE_SM,
			       .sm = {.smCount = count,
				      .minSmPartitionSize = SMALLEST_GROUP,
				      .smCoscheduledAlignment = SMALLEST_GROUP}};
}

static CUresult give_resource(CUdevResource *out_resource, CUdevResourceType type,
			      CUdevResource resource)
{
	if (!out_resource)
		return CUDA_ERROR_INVALID_VALUE;
	if (type != CU_DEV_RESOURCE_TYPE_SM)
		return CUDA_ERROR_INVALID_RESOURCE_TYPE;
	*out_resource = resource;
	return CUDA_SUCCESS;
}

CUresult sim_cuDeviceGetDevResource(CUdevice device, CUdevResource *resource,
				    CUdevResourceType type)
{
	if (!context_is_device(device))
		return CUDA_ERROR_INVALID_DEVICE;
	return give_resource(resource, type, multiprocessors(N_MULTIPROCESSORS));
}

CUresult sim_cuCtxGetDevResource(CUcontext hCtx, CUdevResource *resource, CUdevResourceType type)
{
	if (!handle_is(hCtx, HANDLE_CONTEXT))
		return CUDA_ERROR_INVALID_CONTEXT;
	return give_resource(resource, type,
			     hCtx->green ? hCtx->green->resource
					 : multiprocessors(N_MULTIPROCESSORS));
}

CUresult sim_cuGreenCtxGetDevResource(CUgreenCtx hCtx, CUdevResource *resource,
				      CUdevResourceType type)
{
	if (!handle_is(hCtx, HANDLE_GREEN))
		return CUDA_ERROR_INVALID_CONTEXT;
	return give_resource(resource, type, hCtx->resource);
}

CUresult sim_cuDevSmResourceSplitByCount(CUdevResource *result, unsigned int *nbGroups,
					 const CUdevResource *input, CUdevResource *remaining,
					 unsigned int useFlags, unsigned int minCount)
{
	unsigned size = (minCount + SMALLEST_GROUP - 1) / SMALLEST_GROUP * SMALLEST_GROUP;
	if (!nbGroups || !input || useFlags > 3)
		return CUDA_ERROR_INVALID_VALUE;
	if (input->type != CU_DEV_RESOURCE_TYPE_SM)
		return CUDA_ERROR_INVALID_RESOURCE_TYPE;
	size = size ? size : SMALLEST_GROUP;
	unsigned n_groups = input->sm.smCount / size;
	if (n_groups == 0)
		return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
	if (result && n_groups > *nbGroups)
		n_groups = *nbGroups;
	for (unsigned i = 0; result && i < n_groups; i++)
		result[i] = multiprocessors(size);
	if (result && remaining)
		*remaining = multiprocessors(input->sm.smCount - n_groups * size);
	*nbGroups = n_groups;
	return CUDA_SUCCESS;
}

CUresult sim_cuDevResourceGenerateDesc(CUdevResourceDesc *phDesc, CUdevResource *resources,
				       unsigned int nbResources)
{
	unsigned count = 0;
	if (!phDesc || !resources || nbResources == 0)
		return CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; i < nbResources; i++) {
		if (resources[i].type != CU_DEV_RESOURCE_TYPE_SM)
			return CUDA_ERROR_INVALID_RESOURCE_TYPE;
		count += resources[i].sm.smCount;
	}
	CUdevResourceDesc description = sim_alloc(sizeof(*description));
	description->resource = multiprocessors(count);
	handle_add(description, HANDLE_RESOURCES);
	*phDesc = description;
	return CUDA_SUCCESS;
}

CUresult sim_cuGreenCtxCreate(CUgreenCtx *phCtx, CUdevResourceDesc desc, CUdevice dev,
			      unsigned int flags)
{
	CUcontext primary = NULL;
	if (!phCtx || flags != CU_GREEN_CTX_DEFAULT_STREAM || !handle_is(desc, HANDLE_RESOURCES))
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = sim_cuDevicePrimaryCtxRetain(&primary, dev);
	if (result != CUDA_SUCCESS)
		return result;
	CUgreenCtx green = sim_alloc(sizeof(*green));
	*green = (struct CUgreenCtx_st){.context = context_create_green(primary),
					.resource = desc->resource};
	green->context->green = green;
	handle_add(green, HANDLE_GREEN);
	*phCtx = green;
	return CUDA_SUCCESS;
}

/* The object is not freed: its streams refer to it and may still be queried. */
CUresult sim_cuGreenCtxDestroy(CUgreenCtx hCtx)
{
	if (!handle_is(hCtx, HANDLE_GREEN))
		return CUDA_ERROR_INVALID_CONTEXT;
	CUdevice device = hCtx->context->device;
	handle_remove(hCtx);
	context_destroy_green(hCtx->context);
	return sim_cuDevicePrimaryCtxRelease_v2(device);
}

CUresult sim_cuCtxFromGreenCtx(CUcontext *pContext, CUgreenCtx hCtx)
{
	if (!pContext)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(hCtx, HANDLE_GREEN))
		return CUDA_ERROR_INVALID_CONTEXT;
	*pContext = hCtx->context;
	return CUDA_SUCCESS;
}

CUresult sim_cuGreenCtxStreamCreate(CUstream *phStream, CUgreenCtx greenCtx, unsigned int flags,
				    int priority)
{
	if (!phStream || flags != CU_STREAM_NON_BLOCKING)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(greenCtx, HANDLE_GREEN))
		return CUDA_ERROR_INVALID_CONTEXT;
	*phStream = stream_create(greenCtx->context, STREAM_EXPLICIT, flags, priority);
	return CUDA_SUCCESS;
}

CUresult sim_cuGreenCtxGetId(CUgreenCtx greenCtx, unsigned long long *greenCtxId)
{
	CUcontext current = context_current();
	if (!greenCtx && current)
		greenCtx = current->green;
	if (!greenCtxId)
		return CUDA_ERROR_INVALID_VALUE;
	if (!greenCtx || !handle_is(greenCtx, HANDLE_GREEN))
		return CUDA_ERROR_INVALID_CONTEXT;
	*greenCtxId = greenCtx->context->id;
	return CUDA_SUCCESS;
}

CUresult sim_cuGreenCtxRecordEvent(CUgreenCtx hCtx, CUevent hEvent)
{
	if (!handle_is(hCtx, HANDLE_GREEN))
		return CUDA_ERROR_INVALID_CONTEXT;
	return context_record_event(hCtx->context, hEvent);
}

CUresult sim_cuGreenCtxWaitEvent(CUgreenCtx hCtx, CUevent hEvent)
{
	if (!handle_is(hCtx, HANDLE_GREEN))
		return CUDA_ERROR_INVALID_CONTEXT;
	return context_wait_event(hCtx->context, hEvent);
}
