/* calls_fault.c - make the one bad call of a program, after the truth about it was written. */
#include "calls.h"

enum {
	FREED_BYTES = 64 << 20,    /* so large that the driver really gives it back */
	COPY_DELAY_US = 30 * 1000, /* the copy waits so long: time enough to unmap its source */
};

/* Write the launch as the truth, with the memory that begins at its pointer. */
static void tell_launch(const struct worker *worker, const struct launch_plan *launch,
			CUdeviceptr data, size_t size, const char *state)
{
	world_tell(worker->world,
		   "{\"truth\": \"launch\", \"kernel\": \"%s\", \"tag\": %u, \"memory\": "
		   "{\"pointer\": "
		   "\"0x%llx\", \"state\": \"%s\", \"size\": %zu}}\n",
		   kernel_names[launch->kernel], launch->tag, (unsigned long long)data, state,
		   size);
}

static CUresult launch_wrong(struct worker *worker, const struct operation *operation)
{
	struct arguments arguments;
	arguments_init(&arguments, worker->world, &operation->launch, worker->plan->context,
		       worker->data);
	tell_launch(worker, &operation->launch, worker->data, DATA_BYTES, "inside");
	return worker_launch(worker, operation, &arguments);
}

static CUresult launch_on_freed(struct worker *worker, const struct operation *operation)
{
	struct world *world = worker->world;
	CUdeviceptr data = 0;
	CHECK(world, cuMemAlloc(&data, FREED_BYTES));
	CHECK(world, cuMemFree(data));
	struct arguments arguments;
	arguments_init(&arguments, world, &operation->launch, worker->plan->context, data);
	arguments.value = FREED_BYTES / sizeof(unsigned);
	tell_launch(worker, &operation->launch, data, FREED_BYTES, "freed");
	return worker_launch(worker, operation, &arguments);
}

/* A range of addresses with memory that can be unmapped. */
struct mapped_range {
	CUdeviceptr address;
	size_t size_bytes;
	CUmemGenericAllocationHandle memory;
};

static void map_range(struct world *world, struct mapped_range *range)
{
	CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
					  .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
	CUmemAccessDesc access = {.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
	CUdevice device = 0;
	CHECK(world, cuCtxGetDevice(&device));
	properties.location.id = device;
	access.location = properties.location;
	CHECK(world, cuMemGetAllocationGranularity(&range->size_bytes, &properties,
						   CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	CHECK(world, cuMemAddressReserve(&range->address, range->size_bytes, 0, 0, 0));
	CHECK(world, cuMemCreate(&range->memory, range->size_bytes, &properties, 0));
	CHECK(world, cuMemMap(range->address, range->size_bytes, 0, range->memory, 0));
	CHECK(world, cuMemSetAccess(range->address, range->size_bytes, &access, 1));
}

static CUresult copy_unmapped(struct worker *worker, const struct operation *operation)
{
	struct world *world = worker->world;
	CUdeviceptr target = worker->context->copies + (CUdeviceptr)operation->tag * COPY_BYTES;
	CUstream stream = world->streams[operation->stream];
	struct launch_plan busy = {
		.kernel = KERNEL_STRAY, .grid = 1, .block = 1, .microseconds = COPY_DELAY_US};
	struct operation delay = {.stream = operation->stream, .launch = busy};
	struct mapped_range range;
	map_range(world, &range);
	struct arguments arguments;
	arguments_init(&arguments, world, &busy, worker->plan->context, worker->data);
	CHECK(world, worker_launch(worker, &delay, &arguments));
	world_tell(world, "{\"truth\": \"copy\", \"destination\": \"0x%llx\"}\n",
		   (unsigned long long)target);
	CUresult code = worker_calls(worker, operation)
				->copy_on_device_async(target, range.address, COPY_BYTES, stream);
	CHECK(world, cuMemUnmap(range.address, range.size_bytes));
	return code;
}

/* Give the node the argument that makes it fail, in the executable graph only. */
static void update_node(struct worker *worker, const struct graph_plan *plan, struct graph *graph)
{
	struct world *world = worker->world;
	struct launch_plan launch = plan->nodes[plan->faulty_node].launch;
	launch.is_wrong = true;
	struct arguments arguments;
	arguments_init(&arguments, world, &launch, worker->plan->context, graph->data);
	CUDA_KERNEL_NODE_PARAMS parameters =
		node_parameters(world, worker->plan->context, &launch, &arguments);
	CHECK(world, cuGraphExecKernelNodeSetParams(graph->executable,
						    graph->nodes[plan->faulty_node], &parameters));
}

static CUresult replay_wrong(struct worker *worker, const struct operation *operation)
{
	struct world *world = worker->world;
	const struct graph_plan *plan = &world->program->graphs[operation->graph];
	struct graph *graph = &world->graphs[operation->graph];
	CUstream stream = world->streams[plan->stream];
	if (world->program->fault == FAULT_GRAPH_MEMORY)
		CHECK(world, cuMemsetD32Async(graph->index, FAR_INDEX >> 32, 2, stream));
	else if (world->program->fault == FAULT_GRAPH_UPDATE)
		update_node(worker, plan, graph);
	graph->n_replays++;
	graph->n_seen += worker_is_seen(worker, operation) ? 1 : 0;
	world_tell(world,
		   "{\"truth\": \"graph_launch\", \"handle\": \"0x%llx\", \"replay\": %u, "
		   "\"seen\": %u, \"node_tag\": %u, \"n_nodes\": %u, \"kernel\": \"%s\"}\n",
		   (unsigned long long)(uintptr_t)graph->executable, graph->n_replays,
		   worker_is_seen(worker, operation) ? graph->n_seen : 0,
		   plan->nodes[plan->faulty_node].launch.tag, plan->n_nodes,
		   kernel_names[plan->nodes[plan->faulty_node].launch.kernel]);
	return worker_calls(worker, operation)->launch_graph(graph->executable, stream);
}

void worker_make_fault(struct worker *worker, const struct operation *operation)
{
	if (!worker_is_seen(worker, operation))
		world_tell(worker->world, "{\"truth\": \"past\"}\n");
	CUresult code;
	if (operation->kind == OP_GRAPH_LAUNCH)
		code = replay_wrong(worker, operation);
	else if (operation->kind == OP_COPY_ON_DEVICE)
		code = copy_unmapped(worker, operation);
	else if (worker->world->program->fault == FAULT_FREED)
		code = launch_on_freed(worker, operation);
	else
		code = launch_wrong(worker, operation);
	world_check(worker->world, "the bad call", code);
}
