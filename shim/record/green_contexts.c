/*
 * green_contexts.c - a map from CUgreenCtx to CUcontext. The driver returns a green context's
 * second handle on request, and streams report that handle.
 */
#include "record/green_contexts.h"

#include "record/context_end.h"
#include "record/driver/driver.h"
#include "record/host/handle_map.h"
#include "record/streams/stream_rows.h"

static struct handle_map map;

/* The green context retains the primary one, so retaining it to get its handle changes nothing. */
static CUcontext primary_of(CUdevice device)
{
	CUcontext primary = NULL;
	if (real.cuDevicePrimaryCtxRetain(&primary, device) != CUDA_SUCCESS)
		return NULL;
	(void)real.cuDevicePrimaryCtxRelease_v2(device);
	return primary;
}

void green_contexts_created(CUgreenCtx green, CUdevice device, uint32_t tid)
{
	CUcontext handle = NULL;
	struct context *primary = contexts_of(primary_of(device));
	if (!primary || real.cuCtxFromGreenCtx(&handle, green) != CUDA_SUCCESS)
		return;
	/* With the same handle, two default streams would look like one. */
	if (handle == primary->handle) {
		streams_note_lost();
		return;
	}
	(void)context_end(handle, tid); /* an earlier context with this handle, its end unseen */
	if (contexts_add_green(handle, primary))
		(void)handle_map_put(&map, (uintptr_t)green, (uintptr_t)handle);
}

CUcontext green_contexts_handle(CUgreenCtx green)
{
	uint64_t value = 0;
	return handle_map_get(&map, (uintptr_t)green, &value) ? (CUcontext)(uintptr_t)value : NULL;
}

void green_contexts_forget(CUgreenCtx green)
{
	uint64_t ignored = 0;
	(void)handle_map_take(&map, (uintptr_t)green, &ignored);
}
