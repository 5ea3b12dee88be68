/* objects.c - streams, events, code, contexts, and questions. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

void use_stream(void)
{
	CUstream *stream = &world.streams[2 + draw(N_STREAMS - 2)];

	if (*stream) {
		if (draw(2))
			SAY(cuStreamSynchronize, *stream);
		SAY(cuStreamDestroy, *stream);
		*stream = NULL;
	} else if (draw(2)) {
		SAY(cuStreamCreate, stream, draw(3));
	} else {
		SAY(cuStreamCreateWithPriority, stream, CU_STREAM_NON_BLOCKING, 1 - (int)draw(8));
	}
}

void use_event(void)
{
	unsigned i = draw(N_EVENTS);
	CUevent *event = &world.events[i];
	float ms;

	if (!*event) {
		SAY(cuEventCreate, event, draw(2) ? CU_EVENT_DISABLE_TIMING : draw(3));
		world.is_recorded[i] = false;
		return;
	}
	switch (draw(8)) {
	case 0:
		SAY(cuEventDestroy, *event);
		*event = NULL;
		break;
	case 1:
		SAY(cuEventSynchronize, *event);
		break;
	case 2:
		SAY(cuEventElapsedTime, &ms, *event, world.events[draw(N_EVENTS)]);
		break;
	case 3:
	case 4:
		SAY(cuStreamWaitEvent, any_stream(), *event, 0);
		break;
	case 5:
		SAY(cuEventRecordWithFlags, *event, any_stream(), 0);
		break;
	default:
		SAY(cuEventRecord, *event, any_stream());
	}
}

/* A query is made of idle streams only: else its answer would depend on the time. */
void wait_for_work(void)
{
	CUstream stream = any_stream();

	if (draw(3) == 0) {
		wait_for_all();
	} else {
		SAY(cuStreamSynchronize, stream);
		SAY(cuStreamQuery, stream);
	}
}

static const char *const kernels[] = {"fill", "add", "crowded", "use_after_free"};

static void *image_of(const char *path)
{
	FILE *file = fopen(path, "re");
	char *image = malloc(1 << 20);

	NEED_TRUE(file && image && fread(image, 1, 1 << 20, file) > 0);
	(void)fclose(file);
	return image;
}

static void load(unsigned i)
{
	char path[2 * PATH_MAX];
	const char *name = kernels[draw(sizeof(kernels) / sizeof(kernels[0]))];
	CUresult result;

	world.names[i] = name;
	host_kernel_path(name, path, sizeof(path));
	if (draw(2)) {
		result = SAY(cuModuleLoad, &world.modules[i], path);
	} else {
		void *image = image_of(path);

		result = draw(2) ? SAY(cuModuleLoadData, &world.modules[i], image)
				 : SAY(cuModuleLoadDataEx, &world.modules[i], image, 0, NULL, NULL);
		free(image);
	}
	if (!result)
		SAY(cuModuleGetFunction, &world.functions[i], world.modules[i], name);
}

void use_module(void)
{
	unsigned i = draw(N_MODULES);
	CUfunction function = NULL;

	if (world.libraries[i]) {
		SAY(cuModuleGetFunction, &function, world.modules[i], draw(2) ? "fill" : "other");
	} else if (!world.modules[i]) {
		load(i);
	} else if (draw(2)) {
		SAY(cuModuleGetFunction, &function, world.modules[i], draw(2) ? "add" : "other");
	} else {
		wait_for_all();
		SAY(cuModuleUnload, world.modules[i]);
		world.modules[i] = NULL;
		world.functions[i] = NULL;
	}
}

void use_library(void)
{
	const char *name = kernels[draw(sizeof(kernels) / sizeof(kernels[0]))];
	unsigned i = draw(N_MODULES);
	char path[2 * PATH_MAX];
	CUkernel kernel = NULL;
	unsigned n;

	if (world.libraries[i]) {
		wait_for_all();
		SAY(cuLibraryUnload, world.libraries[i]);
		world.libraries[i] = NULL;
		world.modules[i] = NULL;
		world.functions[i] = NULL;
	} else if (!world.modules[i]) {
		world.names[i] = name;
		host_kernel_path(name, path, sizeof(path));
		SAY(cuLibraryLoadFromFile, &world.libraries[i], path, NULL, NULL, 0, NULL, NULL, 0);
		SAY(cuLibraryGetModule, &world.modules[i], world.libraries[i]);
		SAY(cuLibraryGetKernel, &kernel, world.libraries[i], name);
		SAY(cuLibraryGetKernelCount, &n, world.libraries[i]);
		world.functions[i] = (CUfunction)kernel;
		if (draw(2))
			SAY(cuKernelGetFunction, &world.functions[i], kernel);
		SAY(cuLibraryGetKernel, &kernel, world.libraries[i], "other");
	}
}

CUfunction fill_kernel(void)
{
	char path[2 * PATH_MAX];
	CUmodule module = NULL;

	if (!world.fill) {
		host_kernel_path("fill", path, sizeof(path));
		if (!SAY(cuModuleLoad, &module, path))
			SAY(cuModuleGetFunction, &world.fill, module, "fill");
	}
	return world.fill;
}

CUfunction any_function(void)
{
	unsigned i = draw(N_MODULES);

	if (!world.functions[i] && !world.modules[i])
		load(i);
	return world.functions[i];
}

/* Run steps in a world of the context, which is current, and let go of what they made. */
static void run_inside(unsigned n)
{
	struct world outer = world;

	memset(&world, 0, sizeof(world));
	world.depth = outer.depth + 1;
	world_run(n);
	world = outer;
}

void use_context(void)
{
	CUcontext context = NULL, popped = NULL;

	if (world.depth == 2 || SAY(cuCtxCreate, &context, NULL, draw(8), 0))
		return;
	run_inside(draw(16));
	if (draw(2))
		wait_for_all();
	if (draw(2)) {
		SAY(cuCtxPopCurrent, &popped);
		SAY(cuCtxPushCurrent, popped);
	}
	SAY(cuCtxDestroy, context);
}

void use_green_context(void)
{
	CUcontext context = NULL, before = NULL;
	CUdevResource all;
	CUgreenCtx green;

	if (world.depth == 2 || SAY(cuStreamSynchronize, NULL) || SAY(cuCtxGetCurrent, &before) ||
	    SAY(cuDeviceGetDevResource, 0, &all, CU_DEV_RESOURCE_TYPE_SM))
		return;
	green = host_make_green(&context);
	SAY(cuCtxSetCurrent, context);
	SAY(cuGreenCtxStreamCreate, &world.streams[2], green, CU_STREAM_NON_BLOCKING, 0);
	run_inside(draw(12));
	wait_for_all();
	SAY(cuCtxSetCurrent, before);
	SAY(cuStreamDestroy, world.streams[2]);
	world.streams[2] = NULL;
	SAY(cuGreenCtxDestroy, green);
}

void use_primary_context(void)
{
	CUcontext context = NULL;

	SAY(cuDevicePrimaryCtxRetain, &context, 0);
	SAY(cuCtxSetLimit, draw(4), 4096);
	SAY(cuDevicePrimaryCtxRelease, 0);
}

/* With SIMCUDA_DEVICES=2. */
void use_second_device(void)
{
	CUcontext context = NULL, before = NULL;
	CUdeviceptr memory, other = any_memory();

	if (world.depth > 0 || SAY(cuDevicePrimaryCtxRetain, &context, 1))
		return;
	SAY(cuCtxGetCurrent, &before);
	SAY(cuCtxEnablePeerAccess, context, 0);
	SAY(cuCtxPushCurrent, context);
	SAY(cuMemAlloc, &memory, PIECE);
	SAY(cuMemcpyPeer, memory, context, other, before, 64);
	run_inside(draw(12));
	wait_for_all();
	SAY(cuCtxPopCurrent, &context);
	SAY(cuCtxDisablePeerAccess, context);
	if (draw(2))
		SAY(cuDevicePrimaryCtxReset, 1);
	SAY(cuDevicePrimaryCtxRelease, 1);
}

void ask(void)
{
	CUfunction function = any_function();
	CUcontext context = NULL;
	const char *text;
	int value;

	SAY(cuGetErrorString, draw(8) ? draw(1000) : CUDA_ERROR_INVALID_VALUE, &text);
	SAY(cuFuncGetAttribute, &value, draw(12), function);
	SAY(cuFuncSetAttribute, function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
	    (int)draw(4) * 100000);
	SAY(cuCtxPopCurrent, &context);
	SAY(cuStreamSynchronize, NULL); /* without a context */
	SAY(cuCtxPushCurrent, context);
	SAY(cuDeviceGetAttribute, &value, 1 + draw(100), 0);
}
