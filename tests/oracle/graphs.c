/*
 * graphs.c - make a program's graphs, by capture or node by node, and the arguments of its kernels
 * in graphs and elsewhere.
 */
#include "graphs.h"

uint64_t wrong_value(enum kernel kernel)
{
	switch (kernel) {
	case KERNEL_STRAY:
	case KERNEL_FETCH:
		return FAR_INDEX;
	case KERNEL_ASTRAY:
		return INVALID_OFFSET;
	case KERNEL_BEYOND:
		return BEYOND_SHARED;
	default:
		return 1; /* crooked: an odd address */
	}
}

static bool reads_index(enum kernel kernel)
{
	return kernel == KERNEL_THROUGH || kernel == KERNEL_FETCH_THROUGH;
}

/*
 * The caller sets the index of `through` or the length of `sweep` if it must not be the right one.
 */
void arguments_init(struct arguments *arguments, const struct world *world,
		    const struct launch_plan *launch, unsigned context, CUdeviceptr data)
{
	*arguments =
		(struct arguments){.tag = launch->tag,
				   .microseconds = launch->microseconds,
				   .data = data,
				   .value = launch->is_wrong ? wrong_value(launch->kernel) : 0};
	if (reads_index(launch->kernel))
		arguments->value = world->contexts[context].zero;
	else if (launch->kernel == KERNEL_SWEEP)
		arguments->value = DATA_COUNT;
	arguments->pointers[0] = &arguments->tag;
	arguments->pointers[1] = &arguments->data;
	arguments->pointers[2] = &arguments->microseconds;
	arguments->pointers[3] = &arguments->value;
}

CUDA_KERNEL_NODE_PARAMS node_parameters(const struct world *world, unsigned context,
					const struct launch_plan *launch,
					struct arguments *arguments)
{
	return (CUDA_KERNEL_NODE_PARAMS){
		.func = world->contexts[context].functions[launch->kernel],
		.gridDimX = launch->grid,
		.gridDimY = 1,
		.gridDimZ = 1,
		.blockDimX = launch->block,
		.blockDimY = 1,
		.blockDimZ = 1,
		.kernelParams = arguments->pointers,
	};
}

static void node_arguments(const struct world *world, const struct graph_plan *plan,
			   const struct graph *graph, unsigned node, struct arguments *arguments)
{
	unsigned context = world->program->threads[plan->owner].context;
	arguments_init(arguments, world, &plan->nodes[node].launch, context, graph->data);
	if (node == plan->faulty_node && reads_index(plan->nodes[node].launch.kernel))
		arguments->value = graph->index;
}

static void add_nodes(struct world *world, const struct graph_plan *plan, struct graph *graph)
{
	unsigned context = world->program->threads[plan->owner].context;
	NEED(cuGraphCreate(&graph->handle, 0));
	for (unsigned i = 0; i < plan->n_nodes; i++) {
		const struct node_plan *node = &plan->nodes[i];
		const CUgraphNode *after = node->after == i ? NULL : &graph->nodes[node->after];
		CUDA_MEMSET_NODE_PARAMS memset = {.dst = graph->data,
						  .elementSize = sizeof(unsigned),
						  .width = DATA_COUNT,
						  .height = 1};
		struct arguments arguments;
		node_arguments(world, plan, graph, i, &arguments);
		CUDA_KERNEL_NODE_PARAMS kernel =
			node_parameters(world, context, &node->launch, &arguments);
		if (node->is_memset)
			NEED(cuGraphAddMemsetNode(&graph->nodes[i], graph->handle, after,
						  after != NULL, &memset,
						  world->contexts[context].handle));
		else
			NEED(cuGraphAddKernelNode(&graph->nodes[i], graph->handle, after,
						  after != NULL, &kernel));
	}
}

static void capture_node(struct world *world, const struct graph_plan *plan, struct graph *graph,
			 unsigned node, CUstream stream)
{
	unsigned context = world->program->threads[plan->owner].context;
	const struct launch_plan *launch = &plan->nodes[node].launch;
	struct arguments arguments;
	node_arguments(world, plan, graph, node, &arguments);
	if (plan->nodes[node].is_memset)
		NEED(cuMemsetD32Async(graph->data, 0, DATA_COUNT, stream));
	else
		NEED(cuLaunchKernel(world->contexts[context].functions[launch->kernel],
				    launch->grid, 1, 1, launch->block, 1, 1, 0, stream,
				    arguments.pointers, NULL));
}

/* Capture the second half of the nodes on a branch next to the last node of the first half. */
static void capture_nodes(struct world *world, const struct graph_plan *plan, struct graph *graph)
{
	CUstream trunk = NULL;
	NEED(cuStreamCreate(&trunk, CU_STREAM_NON_BLOCKING));
	CUstream branch = NULL;
	NEED(cuStreamCreate(&branch, CU_STREAM_NON_BLOCKING));
	CUevent fork = NULL;
	NEED(cuEventCreate(&fork, CU_EVENT_DISABLE_TIMING));
	CUevent join = NULL;
	NEED(cuEventCreate(&join, CU_EVENT_DISABLE_TIMING));
	NEED(cuStreamBeginCapture(trunk, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	capture_node(world, plan, graph, 0, trunk);
	NEED(cuEventRecord(fork, trunk));
	NEED(cuStreamWaitEvent(branch, fork, 0));
	for (unsigned i = 1; i < plan->n_nodes; i++)
		capture_node(world, plan, graph, i, plan->nodes[i].after % 2 ? branch : trunk);
	NEED(cuEventRecord(join, branch));
	NEED(cuStreamWaitEvent(trunk, join, 0));
	NEED(cuStreamEndCapture(trunk, &graph->handle));
	NEED(cuEventDestroy(join));
	NEED(cuEventDestroy(fork));
	NEED(cuStreamDestroy(branch));
	NEED(cuStreamDestroy(trunk));
}

static void instantiate(const struct graph_plan *plan, struct graph *graph)
{
	if (!plan->is_nested) {
		NEED(cuGraphInstantiateWithFlags(&graph->executable, graph->handle, 0));
		return;
	}
	CUgraph outer = NULL;
	NEED(cuGraphCreate(&outer, 0));
	CUgraphNode child = NULL;
	NEED(cuGraphAddChildGraphNode(&child, outer, NULL, 0, graph->handle));
	NEED(cuGraphInstantiateWithFlags(&graph->executable, outer, 0));
	NEED(cuGraphDestroy(outer));
}

void world_make_graphs(struct world *world)
{
	for (unsigned i = 0; i < world->program->n_graphs; i++) {
		const struct graph_plan *plan = &world->program->graphs[i];
		unsigned context = world->program->threads[plan->owner].context;
		struct graph *graph = &world->graphs[i];
		NEED(cuCtxSetCurrent(world->contexts[context].handle));
		NEED(cuMemAlloc(&graph->data, DATA_BYTES));
		NEED(cuMemAlloc(&graph->index, DATA_BYTES));
		NEED(cuMemsetD32(graph->index, 0, DATA_COUNT));
		if (plan->is_captured)
			capture_nodes(world, plan, graph);
		else
			add_nodes(world, plan, graph);
		instantiate(plan, graph);
	}
}
