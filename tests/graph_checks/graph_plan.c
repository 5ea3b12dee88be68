/*
 * graph_plan.c - plan and build random graphs.
 */
#include "graph_plan.h"

#include <stdio.h>
#include <stdlib.h>

CUresult say(const char *call, CUresult result)
{
	printf("%s %d\n", call, (int)result);
	return result;
}

static unsigned plan_part(struct random *random, struct plans *out, int depth);

/* NOLINTNEXTLINE(misc-no-recursion) */
static void plan_node(struct random *random, struct plans *out, int depth, struct node_plan *node)
{
	unsigned die = random_below(random, 20);
	*node = (struct node_plan){
		.kind = die < 13   ? NODE_KERNEL
			: die < 15 ? NODE_MEMSET
			: die < 16 ? NODE_COPY
			: die < 17 ? NODE_HOST
			: die < 18 ? NODE_EMPTY
				   : NODE_CHILD,
		.kernel = random_below(random, N_KERNELS),
		.out = random_below(random, N_BUFFERS),
		.in = {random_below(random, N_BUFFERS), random_below(random, N_BUFFERS)},
		.factor = (float)random_between(random, 1, 8) / 4,
		.extra = random_below(random, MAX_NODES),
	};
	if (node->kind == NODE_CHILD && depth < MAX_DEPTH && out->n_plans < MAX_PLANS)
		node->child = plan_part(random, out, depth + 1);
	else if (node->kind == NODE_CHILD)
		node->kind = NODE_EMPTY;
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static unsigned plan_part(struct random *random, struct plans *out, int depth)
{
	unsigned index = out->n_plans++;
	struct graph_plan *plan = &out->plans[index];
	plan->n_nodes = random_between(random, 1, depth ? 4 : MAX_NODES);
	for (unsigned i = 0; i < plan->n_nodes; i++)
		plan_node(random, out, depth, &plan->nodes[i]);
	return index;
}

void plan_graph(struct random *random, struct plans *out)
{
	*out = (struct plans){0};
	(void)plan_part(random, out, 0);
}

void plan_again(struct random *random, struct plans *plans)
{
	for (unsigned i = 0; i < plans->n_plans; i++)
		for (unsigned j = 0; j < plans->plans[i].n_nodes; j++)
			plans->plans[i].nodes[j].factor = (float)random_between(random, 1, 8) / 4;
}

/* The buffers that a node reads and writes, as bits. */
struct uses {
	unsigned reads, writes;
};

/* NOLINTNEXTLINE(misc-no-recursion) */
static struct uses uses_of(const struct plans *plans, const struct node_plan *node)
{
	struct uses uses = {0};
	switch (node->kind) {
	case NODE_KERNEL:
		return (struct uses){1u << node->in[0] | 1u << node->in[1], 1u << node->out};
	case NODE_COPY:
		return (struct uses){1u << node->in[0], 1u << node->out};
	case NODE_MEMSET:
		return (struct uses){0, 1u << node->out};
	case NODE_CHILD:
		for (unsigned i = 0; i < plans->plans[node->child].n_nodes; i++) {
			struct uses one = uses_of(plans, &plans->plans[node->child].nodes[i]);
			uses.reads |= one.reads;
			uses.writes |= one.writes;
		}
		return uses;
	default:
		return uses;
	}
}

static bool must_wait(const struct plans *plans, const struct node_plan *node,
		      const struct node_plan *earlier)
{
	struct uses mine = uses_of(plans, node);
	struct uses other = uses_of(plans, earlier);
	return (mine.writes & (other.reads | other.writes)) || (mine.reads & other.writes) ||
	       (node->kind == NODE_HOST && earlier->kind == NODE_HOST);
}

/* One more node that a node waits for; the place itself: none. */
static unsigned extra_of(const struct graph_plan *plan, unsigned place)
{
	unsigned extra = plan->nodes[place].extra % (place + 3);
	return extra < place ? extra : place;
}

/* An edge as programmatic launches have, between kernels that may run in any order. */
static bool is_programmatic(const struct plans *plans, const struct graph_plan *plan,
			    unsigned place)
{
	const struct node_plan *node = &plan->nodes[place];
	const struct node_plan *extra = &plan->nodes[extra_of(plan, place)];
	return extra != node && node->kind == NODE_KERNEL && extra->kind == NODE_KERNEL &&
	       !must_wait(plans, node, extra);
}

static size_t list_dependencies(const struct plans *plans, const struct graph_plan *plan,
				unsigned place, const CUgraphNode *nodes, CUgraphNode *out)
{
	size_t n = 0;
	for (unsigned i = 0; i < place; i++)
		if (must_wait(plans, &plan->nodes[place], &plan->nodes[i]) ||
		    (extra_of(plan, place) == i && !is_programmatic(plans, plan, place)))
			out[n++] = nodes[i];
	return n;
}

static void add_programmatic(const struct plans *plans, const struct graph_plan *plan,
			     unsigned place, const struct built *built)
{
	CUgraphEdgeData data = {.from_port = (unsigned char)(1 + place % 2),
				.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC};
	if (is_programmatic(plans, plan, place))
		SAY(cuGraphAddDependencies, built->graph, &built->nodes[extra_of(plan, place)],
		    &built->nodes[place], &data, 1);
}

CUDA_KERNEL_NODE_PARAMS kernel_parameters(struct world *world, const struct node_plan *node,
					  struct kernel_arguments *arguments)
{
	*arguments = (struct kernel_arguments){.buffers = {world->buffers[node->out],
							   world->buffers[node->in[0]],
							   world->buffers[node->in[1]]},
					       .factor = node->factor,
					       .n = N_VALUES};
	arguments->pointers[0] = &arguments->buffers[0];
	arguments->pointers[1] = &arguments->buffers[1];
	arguments->pointers[2] =
		node->kernel < 2 ? (void *)&arguments->factor : (void *)&arguments->buffers[2];
	arguments->pointers[3] = &arguments->n;
	if (node->kernel == 3) { /* multiply: the buffers are in a structure */
		arguments->pointers[0] = &arguments->n;
		arguments->pointers[1] = &arguments->buffers[0];
	}
	return (CUDA_KERNEL_NODE_PARAMS){.func = world->kernels[node->kernel],
					 .gridDimX = N_VALUES / 64,
					 .gridDimY = 1,
					 .gridDimZ = 1,
					 .blockDimX = 64,
					 .blockDimY = 1,
					 .blockDimZ = 1,
					 .kernelParams = arguments->pointers};
}

CUDA_MEMSET_NODE_PARAMS memset_parameters(const struct world *world, const struct node_plan *node)
{
	union {
		float value;
		unsigned bits;
	} value = {node->factor};
	return (CUDA_MEMSET_NODE_PARAMS){.dst = world->buffers[node->out],
					 .value = value.bits,
					 .elementSize = 4,
					 .width = N_VALUES / 2,
					 .height = 1};
}

CUDA_MEMCPY3D copy_parameters(const struct world *world, const struct node_plan *node)
{
	return (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_DEVICE,
			       .srcDevice = world->buffers[node->in[0]],
			       .dstMemoryType = CU_MEMORYTYPE_DEVICE,
			       .dstDevice = world->buffers[node->out],
			       .WidthInBytes = N_VALUES * sizeof(float),
			       .Height = 1,
			       .Depth = 1};
}

static void CUDA_CB count_call(void *data)
{
	struct world *world = data;
	world->n_host_calls++;
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static void build_child(struct world *world, const struct plans *plans, unsigned plan,
			CUgraphNode *out, CUgraph graph, const CUgraphNode *after, size_t n_after)
{
	struct built child;
	build_graph(world, plans, plan, &child);
	SAY(cuGraphAddChildGraphNode, out, graph, after, n_after, child.graph);
	SAY(cuGraphDestroy, child.graph);
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static void build_node(struct world *world, const struct plans *plans, const struct node_plan *node,
		       const CUgraphNode *after, size_t n_after, CUgraphNode *out, CUgraph graph)
{
	struct kernel_arguments arguments;
	CUDA_KERNEL_NODE_PARAMS kernel = kernel_parameters(world, node, &arguments);
	CUDA_MEMSET_NODE_PARAMS memset = memset_parameters(world, node);
	CUDA_MEMCPY3D copy = copy_parameters(world, node);
	CUDA_HOST_NODE_PARAMS host = {.fn = count_call, .userData = world};
	switch (node->kind) {
	case NODE_KERNEL:
		SAY(cuGraphAddKernelNode, out, graph, after, n_after, &kernel);
		break;
	case NODE_MEMSET:
		SAY(cuGraphAddMemsetNode, out, graph, after, n_after, &memset, world->context);
		break;
	case NODE_COPY:
		SAY(cuGraphAddMemcpyNode, out, graph, after, n_after, &copy, world->context);
		break;
	case NODE_HOST:
		SAY(cuGraphAddHostNode, out, graph, after, n_after, &host);
		break;
	case NODE_EMPTY:
		SAY(cuGraphAddEmptyNode, out, graph, after, n_after);
		break;
	case NODE_CHILD:
		build_child(world, plans, node->child, out, graph, after, n_after);
		break;
	}
}

/* NOLINTNEXTLINE(misc-no-recursion) */
void build_graph(struct world *world, const struct plans *plans, unsigned plan, struct built *out)
{
	const struct graph_plan *from = &plans->plans[plan];
	*out = (struct built){0};
	SAY(cuGraphCreate, &out->graph, 0);
	for (unsigned i = 0; i < from->n_nodes; i++) {
		CUgraphNode after[MAX_NODES];
		size_t n_after = list_dependencies(plans, from, i, out->nodes, after);
		build_node(world, plans, &from->nodes[i], after, n_after, &out->nodes[i],
			   out->graph);
		add_programmatic(plans, from, i, out);
	}
}
