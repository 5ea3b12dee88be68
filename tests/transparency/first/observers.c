/* observers.c - the calls that may be the first to report a failure, by kind. */
#include "observers.h"

#include <stddef.h>

#include "owned.h"

#define CALL(name, ...)                                  \
	static CUresult call_##name(struct owned *owned) \
	{                                                \
		(void)owned;                             \
		return name(__VA_ARGS__);                \
	}

static void prepare_pool(struct owned *owned)
{
	const CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
					   .location.type = CU_MEM_LOCATION_TYPE_DEVICE};

	NEED(cuMemPoolCreate(&owned->pool, &properties));
	NEED(cuMemAllocAsync(&owned->pooled, FIRST_BYTES, owned->stream));
	NEED(cuStreamSynchronize(owned->stream));
}

static void prepare_array(struct owned *owned)
{
	const CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_FLOAT, 1};

	NEED(cuArrayCreate(&owned->array, &shape));
}

static void prepare_graph(struct owned *owned)
{
	NEED(cuStreamBeginCapture(owned->stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	NEED(fill_data(owned, owned->stream));
	NEED(cuStreamEndCapture(owned->stream, &owned->graph));
	NEED(cuGraphInstantiateWithFlags(&owned->executable, owned->graph, 0));
	NEED(cuGraphLaunch(owned->executable, owned->stream));
	NEED(cuStreamSynchronize(owned->stream));
}

static void prepare_library(struct owned *owned)
{
	CUmodule module;

	NEED(cuLibraryLoadFromFile(&owned->library, owned->path, NULL, NULL, 0, NULL, NULL, 0));
	NEED(cuLibraryGetModule(&module, owned->library)); /* loads it onto the device */
}

static void prepare_mapping(struct owned *owned)
{
	const CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
						.location.type = CU_MEM_LOCATION_TYPE_DEVICE};
	const size_t size = 2 << 20;

	NEED(cuMemAddressReserve(&owned->reserved, size, 0, 0, 0));
	NEED(cuMemCreate(&owned->physical, size, &properties, 0));
	NEED(cuMemMap(owned->reserved, size, 0, owned->physical, 0));
}

CALL(cuCtxSynchronize, )
CALL(cuStreamSynchronize, owned->stream)
CALL(cuEventSynchronize, owned->event)
CALL(cuStreamQuery, owned->stream)
CALL(cuEventQuery, owned->event)

CALL(cuMemcpyDtoH, owned->host, owned->data, FIRST_BYTES)
CALL(cuMemcpyHtoD, owned->data, owned->host, FIRST_BYTES)
CALL(cuMemcpyDtoD, owned->data, owned->other, FIRST_BYTES)
CALL(cuMemcpy, owned->data, owned->other, FIRST_BYTES)
CALL(cuMemcpyDtoHAsync, owned->host, owned->data, FIRST_BYTES, owned->stream)
CALL(cuMemcpyHtoDAsync, owned->data, owned->host, FIRST_BYTES, owned->stream)
CALL(cuMemsetD32, owned->data, 1, FIRST_BYTES / 4)
CALL(cuMemsetD8Async, owned->data, 1, FIRST_BYTES, owned->stream)

CALL(cuMemAlloc, &owned->other, FIRST_BYTES)
CALL(cuMemAllocHost, &owned->host, FIRST_BYTES)
CALL(cuMemHostAlloc, &owned->host, FIRST_BYTES, 0)
CALL(cuMemAllocManaged, &owned->other, FIRST_BYTES, CU_MEM_ATTACH_GLOBAL)
CALL(cuMemAllocAsync, &owned->pooled, FIRST_BYTES, owned->stream)
CALL(cuStreamCreate, &owned->stream, CU_STREAM_NON_BLOCKING)
CALL(cuEventCreate, &owned->event, CU_EVENT_DISABLE_TIMING)
CALL(cuModuleLoad, &owned->module, owned->path)
CALL(cuCtxCreate_v2, &owned->context, 0, 0)
CALL(cuDevicePrimaryCtxRetain, &owned->context, 0)
CALL(cuMemGetInfo, &(size_t){0}, &(size_t){0})

CALL(fill_data, owned, owned->stream)
CALL(cuGraphLaunch, owned->executable, owned->stream)
CALL(cuEventRecord, owned->event, owned->stream)
CALL(cuStreamWaitEvent, owned->stream, owned->event, 0)

CALL(cuMemFree, owned->other)
CALL(cuMemFreeHost, owned->host)
CALL(cuMemFreeAsync, owned->pooled, owned->stream)
CALL(cuMemHostUnregister, owned->registered)
CALL(cuArrayDestroy, owned->array)
CALL(cuMemUnmap, owned->reserved, 2 << 20)
CALL(cuMemRelease, owned->physical)

CALL(cuStreamDestroy, owned->stream)
CALL(cuEventDestroy, owned->event)
CALL(cuGraphExecDestroy, owned->executable)
CALL(cuGraphDestroy, owned->graph)
CALL(cuMemPoolDestroy, owned->pool)
CALL(cuModuleUnload, owned->module)
CALL(cuLibraryUnload, owned->library)
CALL(cuCtxDestroy, owned->context)
CALL(cuCtxDetach, owned->context)
CALL(cuDevicePrimaryCtxRelease, 0)
CALL(cuDevicePrimaryCtxReset, 0)

/* Release everything, as destructors do. Only the worst result counts. */
static CUresult call_everything(struct owned *owned)
{
	const CUresult results[] = {
		cuMemFree(owned->other),        cuMemFree(owned->data),
		cuMemFreeHost(owned->host),     cuEventDestroy(owned->event),
		cuStreamDestroy(owned->stream), cuModuleUnload(owned->module),
		cuDevicePrimaryCtxRelease(0),
	};
	CUresult worst = CUDA_SUCCESS;

	for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++)
		worst = results[i] > worst ? results[i] : worst;
	return worst;
}

const struct observer observers[] = {
	{"cuCtxSynchronize", "sync", call_cuCtxSynchronize, NULL},
	{"cuStreamSynchronize", "sync", call_cuStreamSynchronize, NULL},
	{"cuEventSynchronize", "sync", call_cuEventSynchronize, NULL},
	{"cuStreamQuery", "query", call_cuStreamQuery, NULL},
	{"cuEventQuery", "query", call_cuEventQuery, NULL},
	{"cuMemGetInfo", "query", call_cuMemGetInfo, NULL},
	{"cuMemcpyDtoH", "copy", call_cuMemcpyDtoH, NULL},
	{"cuMemcpyHtoD", "copy", call_cuMemcpyHtoD, NULL},
	{"cuMemcpyDtoD", "copy", call_cuMemcpyDtoD, NULL},
	{"cuMemcpy", "copy", call_cuMemcpy, NULL},
	{"cuMemcpyDtoHAsync", "copy", call_cuMemcpyDtoHAsync, NULL},
	{"cuMemcpyHtoDAsync", "copy", call_cuMemcpyHtoDAsync, NULL},
	{"cuMemsetD32", "copy", call_cuMemsetD32, NULL},
	{"cuMemsetD8Async", "copy", call_cuMemsetD8Async, NULL},
	{"cuMemAlloc", "allocation", call_cuMemAlloc, NULL},
	{"cuMemAllocHost", "allocation", call_cuMemAllocHost, NULL},
	{"cuMemHostAlloc", "allocation", call_cuMemHostAlloc, NULL},
	{"cuMemAllocManaged", "allocation", call_cuMemAllocManaged, NULL},
	{"cuMemAllocAsync", "allocation", call_cuMemAllocAsync, prepare_pool},
	{"cuStreamCreate", "allocation", call_cuStreamCreate, NULL},
	{"cuEventCreate", "allocation", call_cuEventCreate, NULL},
	{"cuModuleLoad", "allocation", call_cuModuleLoad, NULL},
	{"cuCtxCreate", "allocation", call_cuCtxCreate_v2, NULL},
	{"cuDevicePrimaryCtxRetain", "allocation", call_cuDevicePrimaryCtxRetain, NULL},
	{"cuLaunchKernel", "launch", call_fill_data, NULL},
	{"cuGraphLaunch", "launch", call_cuGraphLaunch, prepare_graph},
	{"cuEventRecord", "launch", call_cuEventRecord, NULL},
	{"cuStreamWaitEvent", "launch", call_cuStreamWaitEvent, NULL},
	{"cuMemFree", "free", call_cuMemFree, NULL},
	{"cuMemFreeHost", "free", call_cuMemFreeHost, NULL},
	{"cuMemFreeAsync", "free", call_cuMemFreeAsync, prepare_pool},
	{"cuMemHostUnregister", "free", call_cuMemHostUnregister, NULL},
	{"cuArrayDestroy", "free", call_cuArrayDestroy, prepare_array},
	{"cuMemUnmap", "free", call_cuMemUnmap, prepare_mapping},
	{"cuMemRelease", "free", call_cuMemRelease, prepare_mapping},
	{"cuStreamDestroy", "destroy", call_cuStreamDestroy, NULL},
	{"cuEventDestroy", "destroy", call_cuEventDestroy, NULL},
	{"cuGraphExecDestroy", "destroy", call_cuGraphExecDestroy, prepare_graph},
	{"cuGraphDestroy", "destroy", call_cuGraphDestroy, prepare_graph},
	{"cuMemPoolDestroy", "destroy", call_cuMemPoolDestroy, prepare_pool},
	{"cuModuleUnload", "unload", call_cuModuleUnload, NULL},
	{"cuLibraryUnload", "unload", call_cuLibraryUnload, prepare_library},
	{"cuCtxDestroy", "release", call_cuCtxDestroy, NULL},
	{"cuCtxDetach", "release", call_cuCtxDetach, NULL},
	{"cuDevicePrimaryCtxRelease", "release", call_cuDevicePrimaryCtxRelease, NULL},
	{"cuDevicePrimaryCtxReset", "release", call_cuDevicePrimaryCtxReset, NULL},
	{"everything", "release", call_everything, NULL},
	{0},
};
