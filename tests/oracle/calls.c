/* calls.c - make the harmless operations. */
#include "calls.h"

#include <unistd.h>

typedef CUresult make_function(struct worker *worker, const struct operation *operation);

static CUstream stream_of(const struct worker *worker, const struct operation *operation)
{
	return worker->world->streams[operation->stream];
}

const struct door_calls *worker_calls(const struct worker *worker,
				      const struct operation *operation)
{
	return operation->is_past ? worker->world->past : &linked_calls;
}

bool worker_is_seen(const struct worker *worker, const struct operation *operation)
{
	return !operation->is_past || worker->world->program->door == DOOR_DLSYM;
}

static CUresult launch_with(const struct door_calls *calls, const CUlaunchAttribute *attribute,
			    unsigned n_attributes, const struct launch_plan *plan,
			    CUfunction function, CUstream stream, void **pointers)
{
	CUlaunchAttribute copy = *attribute;
	CUlaunchConfig config = {plan->grid, 1, 1,      plan->block, 1,
				 1,          0, stream, &copy,       n_attributes};
	return calls->launch_kernel_ex(&config, function, pointers, NULL);
}

CUresult worker_launch(const struct worker *worker, const struct operation *operation,
		       struct arguments *arguments)
{
	const struct door_calls *calls = worker_calls(worker, operation);
	const struct launch_plan *plan = &operation->launch;
	CUfunction function = worker->context->functions[plan->kernel];
	CUstream stream = stream_of(worker, operation);
	CUlaunchAttribute overlap = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
				     .value.programmaticStreamSerializationAllowed = 1};
	CUlaunchAttribute cluster = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
				     .value.clusterDim = {2, 1, 1}};
	switch (plan->way) {
	case LAUNCH_EX:
		return launch_with(calls, &overlap, 0, plan, function, stream, arguments->pointers);
	case LAUNCH_PROGRAMMATIC:
		return launch_with(calls, &overlap, 1, plan, function, stream, arguments->pointers);
	case LAUNCH_CLUSTER:
		return launch_with(calls, &cluster, 1, plan, function, stream, arguments->pointers);
	case LAUNCH_COOPERATIVE:
		return calls->launch_cooperative(function, plan->grid, 1, 1, plan->block, 1, 1, 0,
						 stream, arguments->pointers);
	default:
		return calls->launch_kernel(function, plan->grid, 1, 1, plan->block, 1, 1, 0,
					    stream, arguments->pointers, NULL);
	}
}

static CUresult launch(struct worker *worker, const struct operation *operation)
{
	CUdeviceptr data = worker->extra ? worker->extra : worker->data;
	struct arguments arguments;
	arguments_init(&arguments, worker->world, &operation->launch, worker->plan->context, data);
	return worker_launch(worker, operation, &arguments);
}

/* Each copy writes to a place of its own, by which a verdict is recognised. */
static CUdeviceptr copy_place(const struct worker *worker, const struct operation *operation)
{
	return worker->context->copies + (CUdeviceptr)operation->tag * COPY_BYTES;
}

/* Return pinned memory, or memory that the driver has to copy first. */
static unsigned char *host_place(const struct worker *worker, const struct operation *operation)
{
	unsigned char *memory =
		operation->tag % 4 ? worker->context->host : worker->context->pageable;
	return memory + (size_t)operation->tag * COPY_BYTES;
}

static CUresult copy_to_device(struct worker *worker, const struct operation *operation)
{
	return worker_calls(worker, operation)
		->copy_to_device_async(copy_place(worker, operation), host_place(worker, operation),
				       COPY_BYTES, stream_of(worker, operation));
}

static CUresult copy_to_host(struct worker *worker, const struct operation *operation)
{
	return worker_calls(worker, operation)
		->copy_to_host_async(host_place(worker, operation), copy_place(worker, operation),
				     COPY_BYTES, stream_of(worker, operation));
}

static CUresult copy_on_device(struct worker *worker, const struct operation *operation)
{
	return worker_calls(worker, operation)
		->copy_on_device_async(copy_place(worker, operation), worker->data, COPY_BYTES,
				       stream_of(worker, operation));
}

static CUresult copy_synchronous(struct worker *worker, const struct operation *operation)
{
	if (operation->tag % 2)
		return worker_calls(worker, operation)
			->copy_to_host(host_place(worker, operation), copy_place(worker, operation),
				       COPY_BYTES);
	return worker_calls(worker, operation)
		->copy_to_device(copy_place(worker, operation), host_place(worker, operation),
				 COPY_BYTES);
}

static CUresult set_memory(struct worker *worker, const struct operation *operation)
{
	return worker_calls(worker, operation)
		->set_memory_async(copy_place(worker, operation), 0, COPY_BYTES / 4,
				   stream_of(worker, operation));
}

static CUresult set_memory_synchronous(struct worker *worker, const struct operation *operation)
{
	return worker_calls(worker, operation)
		->set_memory(copy_place(worker, operation), 0, COPY_BYTES);
}

static void CUDA_CB take_time(void *data)
{
	const struct operation *operation = data;
	usleep(operation->microseconds);
}

static CUresult call_host(struct worker *worker, const struct operation *operation)
{
	/* The driver returns the pointer as it is; no code writes through it. */
	union {
		const struct operation *given;
		void *taken;
	} data = {.given = operation};
	return cuLaunchHostFunc(stream_of(worker, operation), take_time, data.taken);
}

static CUresult write_value(struct worker *worker, const struct operation *operation)
{
	return cuStreamWriteValue32(stream_of(worker, operation), copy_place(worker, operation),
				    operation->tag, CU_STREAM_WRITE_VALUE_DEFAULT);
}

/* The other stream waits for the value: a dependency without an event. */
static CUresult hand_over(struct worker *worker, const struct operation *operation)
{
	CUresult code = write_value(worker, operation);
	if (code)
		return code;
	return cuStreamWaitValue32(worker->world->streams[operation->other_stream],
				   copy_place(worker, operation), operation->tag,
				   CU_STREAM_WAIT_VALUE_EQ);
}

static bool is_event_here(const struct worker *worker, const struct operation *operation)
{
	const struct program *program = worker->world->program;
	return program->event_contexts[operation->event] == worker->plan->context;
}

static CUresult record_event(struct worker *worker, const struct operation *operation)
{
	if (!is_event_here(worker, operation))
		return CUDA_SUCCESS;
	return cuEventRecord(worker->world->events[operation->event], stream_of(worker, operation));
}

static CUresult wait_event(struct worker *worker, const struct operation *operation)
{
	return cuStreamWaitEvent(stream_of(worker, operation),
				 worker->world->events[operation->event], CU_EVENT_WAIT_DEFAULT);
}

static CUresult synchronize_event(struct worker *worker, const struct operation *operation)
{
	return cuEventSynchronize(worker->world->events[operation->event]);
}

static CUresult query_event(struct worker *worker, const struct operation *operation)
{
	return cuEventQuery(worker->world->events[operation->event]);
}

static CUresult synchronize_stream(struct worker *worker, const struct operation *operation)
{
	return worker_calls(worker, operation)->synchronize_stream(stream_of(worker, operation));
}

static CUresult query_stream(struct worker *worker, const struct operation *operation)
{
	return cuStreamQuery(stream_of(worker, operation));
}

static CUresult synchronize_context(struct worker *worker, const struct operation *operation)
{
	return worker_calls(worker, operation)->synchronize_context();
}

static CUresult allocate(struct worker *worker, const struct operation *operation)
{
	(void)operation;
	return worker->extra ? CUDA_SUCCESS : cuMemAlloc(&worker->extra, DATA_BYTES);
}

static CUresult release(struct worker *worker, const struct operation *operation)
{
	CUdeviceptr extra = worker->extra;
	(void)operation;
	worker->extra = 0;
	return cuMemFree(extra);
}

/* Allocate memory that lives as long as one launch, in the order of the stream. */
static CUresult allocate_async(struct worker *worker, const struct operation *operation)
{
	CUstream stream = stream_of(worker, operation);
	CUdeviceptr data = 0;
	CUresult code = cuMemAllocAsync(&data, DATA_BYTES, stream);
	if (code)
		return code;
	struct arguments arguments;
	arguments_init(&arguments, worker->world, &operation->launch, worker->plan->context, data);
	code = worker_launch(worker, operation, &arguments);
	return code ? code : cuMemFreeAsync(data, stream);
}

static CUresult launch_graph(struct worker *worker, const struct operation *operation)
{
	struct graph *graph = &worker->world->graphs[operation->graph];
	unsigned stream = worker->world->program->graphs[operation->graph].stream;
	graph->n_replays++;
	graph->n_seen += worker_is_seen(worker, operation) ? 1 : 0;
	return worker_calls(worker, operation)
		->launch_graph(graph->executable, worker->world->streams[stream]);
}

/* Replace a stream that may still have unfinished work by a new one. */
static CUresult remake_stream(struct worker *worker, const struct operation *operation)
{
	const struct stream_plan *plan = &worker->world->program->streams[operation->stream];
	CUstream *stream = &worker->world->streams[operation->stream];
	if (!plan->is_remade)
		return CUDA_SUCCESS;
	CUresult code = cuStreamDestroy(*stream);
	if (code)
		return code;
	return cuStreamCreate(stream, plan->kind == STREAM_NON_BLOCKING ? CU_STREAM_NON_BLOCKING
									: CU_STREAM_DEFAULT);
}

static CUresult remake_event(struct worker *worker, const struct operation *operation)
{
	CUevent *event = &worker->world->events[operation->event];
	if (worker->world->program->n_threads > 1)
		return CUDA_SUCCESS;
	CUresult code = cuEventDestroy(*event);
	return code ? code : cuEventCreate(event, CU_EVENT_DISABLE_TIMING);
}

static CUresult pause_host(struct worker *worker, const struct operation *operation)
{
	(void)worker;
	usleep(operation->microseconds);
	return CUDA_SUCCESS;
}

/* Submit work that may be unfinished when its context is destroyed. */
static CUresult work_in_context(const struct operation *operation)
{
	CUdeviceptr memory = 0;
	CUresult code = cuMemAlloc(&memory, DATA_BYTES);
	CUstream stream = NULL;
	if (!code)
		code = cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
	if (!code)
		code = cuMemsetD8Async(memory, 1, DATA_BYTES, stream);
	if (!code)
		code = cuMemsetD8Async(memory, 2, DATA_BYTES, CU_STREAM_LEGACY);
	return !code && operation->tag % 2 ? cuCtxSynchronize() : code;
}

static CUresult use_green_context(const struct operation *operation)
{
	CUgreenCtx green = NULL;
	CUcontext context = NULL;
	CUresult code = world_make_green(0, &green, &context);
	CUresult end;
	if (code)
		return code;
	code = cuCtxPushCurrent(context);
	if (!code)
		code = work_in_context(operation);
	end = cuCtxPopCurrent(&context);
	if (!end)
		end = cuGreenCtxDestroy(green);
	return code ? code : end;
}

static CUresult use_other_context(struct worker *worker, const struct operation *operation)
{
	(void)worker;
	if (operation->tag % 3 == 0)
		return use_green_context(operation);
	CUcontext context = NULL;
	CUresult code = cuCtxCreate(&context, NULL, 0, 0);
	if (code)
		return code;
	code = work_in_context(operation);
	CUresult end = cuCtxDestroy(context);
	return code ? code : end;
}

static CUresult make_batch(struct worker *worker, const struct operation *operation)
{
	CUstreamBatchMemOpParams list[2] = {
		{.writeValue = {.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32,
				.address = copy_place(worker, operation),
				.value = operation->tag}},
		{.waitValue = {.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32,
			       .address = copy_place(worker, operation),
			       .value = operation->tag,
			       .flags = CU_STREAM_WAIT_VALUE_EQ}}};
	return cuStreamBatchMemOp(stream_of(worker, operation), 2, list, 0);
}

static CUresult meet(struct worker *worker, const struct operation *operation)
{
	(void)operation;
	pthread_barrier_wait(&worker->world->meeting);
	return CUDA_SUCCESS;
}

static const struct {
	make_function *make;
	const char *name;
} calls[N_OPERATION_KINDS] = {
	[OP_LAUNCH] = {launch, "a launch"},
	[OP_COPY_TO_DEVICE] = {copy_to_device, "cuMemcpyHtoDAsync"},
	[OP_COPY_TO_HOST] = {copy_to_host, "cuMemcpyDtoHAsync"},
	[OP_COPY_ON_DEVICE] = {copy_on_device, "cuMemcpyDtoDAsync"},
	[OP_COPY_SYNCHRONOUS] = {copy_synchronous, "a synchronous copy"},
	[OP_MEMSET] = {set_memory, "cuMemsetD32Async"},
	[OP_MEMSET_SYNCHRONOUS] = {set_memory_synchronous, "cuMemsetD8"},
	[OP_HOST_FUNCTION] = {call_host, "cuLaunchHostFunc"},
	[OP_WRITE_VALUE] = {write_value, "cuStreamWriteValue32"},
	[OP_HAND_OVER] = {hand_over, "handing a value over"},
	[OP_EVENT_RECORD] = {record_event, "cuEventRecord"},
	[OP_EVENT_WAIT] = {wait_event, "cuStreamWaitEvent"},
	[OP_EVENT_SYNCHRONIZE] = {synchronize_event, "cuEventSynchronize"},
	[OP_EVENT_QUERY] = {query_event, "cuEventQuery"},
	[OP_STREAM_SYNCHRONIZE] = {synchronize_stream, "cuStreamSynchronize"},
	[OP_STREAM_QUERY] = {query_stream, "cuStreamQuery"},
	[OP_CONTEXT_SYNCHRONIZE] = {synchronize_context, "cuCtxSynchronize"},
	[OP_ALLOCATE] = {allocate, "cuMemAlloc"},
	[OP_FREE] = {release, "cuMemFree"},
	[OP_ALLOCATE_ASYNC] = {allocate_async, "cuMemAllocAsync and a launch"},
	[OP_GRAPH_LAUNCH] = {launch_graph, "cuGraphLaunch"},
	[OP_REMAKE_STREAM] = {remake_stream, "remaking a stream"},
	[OP_REMAKE_EVENT] = {remake_event, "remaking an event"},
	[OP_PAUSE] = {pause_host, "a pause"},
	[OP_MEET] = {meet, "a meeting"},
	[OP_OTHER_CONTEXT] = {use_other_context, "another context"},
	[OP_BATCH] = {make_batch, "cuStreamBatchMemOp"},
};

void worker_make(struct worker *worker, const struct operation *operation)
{
	world_check(worker->world, calls[operation->kind].name,
		    calls[operation->kind].make(worker, operation));
}
