/* world_open.c - create and destroy the driver objects of a program. */
#include "world_open.h"

#include <stdlib.h>
#include <string.h>

#include "graphs.h"

static void make_context(struct context *context, bool is_green)
{
	if (!is_green) {
		NEED(cuCtxCreate(&context->handle, NULL, 0, context->device));
		return;
	}
	NEED(world_make_green(context->device, &context->green, &context->handle));
	NEED(cuCtxSetCurrent(context->handle));
}

/* Open a context; contexts are distributed over the devices in turn. */
static void open_context(struct world *world, unsigned index, const char *kernels_path)
{
	struct context *context = &world->contexts[index];
	size_t size = (size_t)(world->program->n_tags + 1) * COPY_BYTES;
	int n_devices = 0;
	NEED(cuDeviceGetCount(&n_devices));
	NEED(cuDeviceGet(&context->device, (int)index % n_devices));
	make_context(context, world->program->is_green[index]);
	NEED(cuModuleLoad(&context->module, kernels_path));
	for (unsigned i = 0; i < N_KERNELS; i++)
		NEED(cuModuleGetFunction(&context->functions[i], context->module, kernel_names[i]));
	NEED(cuMemAlloc(&context->zero, DATA_BYTES));
	NEED(cuMemsetD32(context->zero, 0, DATA_COUNT));
	NEED(cuMemAlloc(&context->copies, size));
	void *host = NULL;
	NEED(cuMemHostAlloc(&host, size, 0));
	context->host = host;
	context->pageable = calloc(1, size);
	if (!context->pageable)
		world_need("calloc", CUDA_ERROR_OUT_OF_MEMORY);
}

static void make_current(const struct world *world, unsigned context)
{
	NEED(cuCtxSetCurrent(world->contexts[context].handle));
}

static void open_streams(struct world *world)
{
	const struct program *program = world->program;
	for (unsigned i = 0; i < program->n_streams; i++) {
		const struct stream_plan *plan = &program->streams[i];
		unsigned flags = plan->kind == STREAM_NON_BLOCKING ? CU_STREAM_NON_BLOCKING
								   : CU_STREAM_DEFAULT;
		make_current(world, plan->context);
		if (plan->kind == STREAM_LEGACY)
			world->streams[i] = CU_STREAM_LEGACY;
		else if (plan->kind == STREAM_PER_THREAD)
			world->streams[i] = CU_STREAM_PER_THREAD;
		else if (flags == CU_STREAM_NON_BLOCKING && world->contexts[plan->context].green)
			NEED(cuGreenCtxStreamCreate(&world->streams[i],
						    world->contexts[plan->context].green, flags,
						    plan->priority));
		else
			NEED(cuStreamCreateWithPriority(&world->streams[i], flags, plan->priority));
	}
}

void world_open(struct world *world, const struct program *program, const char *kernels_path)
{
	world->program = program;
	NEED(cuInit(0));
	for (unsigned i = 0; i < program->n_contexts; i++)
		open_context(world, i, kernels_path);
	open_streams(world);
	for (unsigned i = 0; i < program->n_events; i++) {
		make_current(world, program->event_contexts[i]);
		NEED(cuEventCreate(&world->events[i],
				   i % 2 ? CU_EVENT_DISABLE_TIMING : CU_EVENT_DEFAULT));
	}
	for (unsigned i = 0; i < program->n_threads; i++) {
		make_current(world, program->threads[i].context);
		NEED(cuMemAlloc(&world->data[i], DATA_BYTES));
		NEED(cuMemsetD32(world->data[i], 0, DATA_COUNT));
	}
	world_make_graphs(world);
	for (unsigned i = 0; i < program->n_contexts; i++) {
		make_current(world, i);
		NEED(cuCtxSynchronize());
	}
	if (pthread_barrier_init(&world->meeting, NULL, program->n_threads))
		abort();
}

static void close_context(struct world *world, struct context *context)
{
	CHECK(world, cuMemFreeHost(context->host));
	free(context->pageable);
	CHECK(world, cuMemFree(context->copies));
	CHECK(world, cuMemFree(context->zero));
	CHECK(world, cuModuleUnload(context->module));
	if (context->green)
		CHECK(world, cuGreenCtxDestroy(context->green));
	else
		CHECK(world, cuCtxDestroy(context->handle));
}

void world_close(struct world *world)
{
	const struct program *program = world->program;
	for (unsigned i = 0; i < program->n_graphs; i++) {
		CHECK(world, cuGraphExecDestroy(world->graphs[i].executable));
		CHECK(world, cuGraphDestroy(world->graphs[i].handle));
	}
	for (unsigned i = 0; i < program->n_threads; i++) {
		make_current(world, program->threads[i].context);
		CHECK(world, cuMemFree(world->data[i]));
	}
	for (unsigned i = 0; i < program->n_events; i++)
		CHECK(world, cuEventDestroy(world->events[i]));
	for (unsigned i = 0; i < program->n_streams; i++)
		if (program->streams[i].kind >= STREAM_BLOCKING)
			CHECK(world, cuStreamDestroy(world->streams[i]));
	for (unsigned i = 0; i < program->n_contexts; i++) {
		make_current(world, i);
		close_context(world, &world->contexts[i]);
	}
}
