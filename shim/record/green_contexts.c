/*
 * green_contexts.c - CUgreenCtx -> CUcontext. The driver gives a green context its second handle
 * for the asking, and streams tell that one.
 */
#include "green_contexts.h"

#include "driver.h"
#include "handle_map.h"
#include "streams.h"

static struct handle_map map;

/* The green context holds the primary one: to ask for it by retaining it changes nothing. */
static CUcontext primary_of(CUdevice device)
{
	CUcontext primary = NULL;
	if (real.cuDevicePrimaryCtxRetain(&primary, device) != CUDA_SUCCESS)
		return NULL;
	(void)real.cuDevicePrimaryCtxRelease_v2(device);
	return primary;
}

void green_contexts_created(CUgreenCtx green, CUdevice device)
{
	CUcontext handle = NULL;
	struct context *primary = contexts_of(primary_of(device));
	if (!primary || real.cuCtxFromGreenCtx(&handle, green) != CUDA_SUCCESS)
		return;
	/* Were it the same handle, two default streams would look like one. */
	if (handle == primary->handle)
		streams_note_lost();
	else if (contexts_add_green(handle, primary))
		(void)handle_map_put(&map, (uintptr_t)green, (uintptr_t)handle);
}

CUcontext green_contexts_handle(CUgreenCtx green)
{
	uint64_t value;
	return handle_map_get(&map, (uintptr_t)green, &value) ? (CUcontext)(uintptr_t)value : NULL;
}

void green_contexts_forget(CUgreenCtx green)
{
	uint64_t ignored;
	(void)handle_map_take(&map, (uintptr_t)green, &ignored);
}
