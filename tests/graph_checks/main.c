/*
 * main.c - random graphs that are launched and changed in random ways. It prints the result of each
 * call, what the driver says about the program's graphs, and the values after each launch. So the
 * output is the same with and without checks, on simcuda and on a GPU.
 *
 * usage: random_graphs KERNELS SEED N
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph_plan.h"

/* An executable graph, and the graph that it was made from while that lives. */
struct trial {
	struct plans plans;
	struct built built;
	CUgraphExec exec;
	CUstream stream;
	bool is_destroyed; /* the graph is */
};

static void open_world(struct world *world, const char *kernels)
{
	static const char *const names[N_KERNELS] = {
		"_ZN6layers5scaleIfEEvPT_PKS1_S1_i", "_ZN6layers3addIfEEvPT_PKS1_S1_i",
		"_ZN6layers6divideIfEEvPT_PKS1_S4_i", "_ZN6layers8multiplyIfEEviNS_7tensorsIT_EE"};
	CUmodule module = NULL;
	SAY(cuInit, 0);
	SAY(cuDevicePrimaryCtxRetain, &world->context, 0);
	SAY(cuCtxSetCurrent, world->context);
	SAY(cuModuleLoad, &module, kernels);
	for (int i = 0; i < N_KERNELS; i++)
		if (SAY(cuModuleGetFunction, &world->kernels[i], module, names[i]))
			exit(2);
	for (int i = 0; i < N_BUFFERS; i++)
		SAY(cuMemAlloc, &world->buffers[i], N_VALUES * sizeof(float));
}

static void fill_buffers(const struct world *world)
{
	float values[N_VALUES];
	for (int i = 0; i < N_BUFFERS; i++) {
		for (int j = 0; j < N_VALUES; j++)
			values[j] = (float)((j + i * 37) % 64) / 8;
		SAY(cuMemcpyHtoD, world->buffers[i], values, sizeof(values));
	}
}

static void print_values(const struct world *world)
{
	unsigned long long hash = 0xcbf29ce484222325ull;
	float values[N_VALUES];
	for (int i = 0; i < N_BUFFERS; i++) {
		SAY(cuMemcpyDtoH, values, world->buffers[i], sizeof(values));
		for (size_t j = 0; j < sizeof(values); j++)
			hash = (hash ^ ((unsigned char *)values)[j]) * 0x100000001b3ull;
	}
	printf("values %016llx, %u calls\n", hash, world->n_host_calls);
}

/* Print what the driver says about the program's graph; handles by their place. */
static void print_graph(const struct trial *trial, unsigned n_planned)
{
	CUgraphNode nodes[MAX_NODES + 1];
	CUgraphNode from[MAX_NODES * MAX_NODES];
	CUgraphNode to[MAX_NODES * MAX_NODES];
	CUgraphEdgeData data[MAX_NODES * MAX_NODES];
	size_t n_nodes = MAX_NODES + 1;
	size_t n_edges = MAX_NODES * MAX_NODES;
	SAY(cuGraphGetNodes, trial->built.graph, nodes, &n_nodes);
	say("cuGraphGetEdges", cuGraphGetEdges(trial->built.graph, from, to, data, &n_edges));
	printf("%zu nodes, %zu edges:", n_nodes, n_edges);
	for (size_t i = 0; i < n_edges; i++)
		for (unsigned j = 0; j < n_planned; j++) {
			if (trial->built.nodes[j] == from[i])
				printf(" %u>", j);
			if (trial->built.nodes[j] == to[i])
				printf(" >%u(%d)", j, data[i].from_port);
		}
	printf("\n");
}

static void instantiate(struct random *random, struct trial *trial)
{
	CUDA_GRAPH_INSTANTIATE_PARAMS params = {.hUploadStream = trial->stream};
	switch (random_below(random, 3)) {
	case 0:
		params.flags = random_once_in(random, 2) ? CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD : 0;
		SAY(cuGraphInstantiateWithParams, &trial->exec, trial->built.graph, &params);
		printf("%d\n", (int)params.result_out);
		break;
	default:
		SAY(cuGraphInstantiateWithFlags, &trial->exec, trial->built.graph,
		    random_once_in(random, 4) ? CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY : 0);
	}
	cuuint64_t flags = 0;
	SAY(cuGraphExecGetFlags, trial->exec, &flags);
	printf("flags %llu\n", (unsigned long long)flags);
}

static void set_node(struct world *world, struct random *random, struct trial *trial)
{
	unsigned place = random_below(random, trial->plans.plans[0].n_nodes);
	struct node_plan *node = &trial->plans.plans[0].nodes[place];
	CUgraphNode handle = trial->built.nodes[place];
	struct kernel_arguments arguments;
	if (trial->is_destroyed)
		return;
	node->factor = (float)random_between(random, 1, 8) / 4;
	if (node->kernel < 2)
		node->kernel = random_below(random, 2);
	CUDA_KERNEL_NODE_PARAMS kernel = kernel_parameters(world, node, &arguments);
	CUDA_MEMSET_NODE_PARAMS memset = memset_parameters(world, node);
	CUDA_MEMCPY3D copy = copy_parameters(world, node);
	if (node->kind == NODE_MEMSET)
		SAY(cuGraphExecMemsetNodeSetParams, trial->exec, handle, &memset, world->context);
	else if (node->kind == NODE_COPY)
		SAY(cuGraphExecMemcpyNodeSetParams, trial->exec, handle, &copy, world->context);
	else /* also for nodes of other kinds, which the driver refuses */
		SAY(cuGraphExecKernelNodeSetParams, trial->exec, handle, &kernel);
}

static void set_child(struct world *world, struct random *random, struct trial *trial)
{
	struct built child;
	plan_again(random, &trial->plans);
	for (unsigned i = 0; i < trial->plans.plans[0].n_nodes; i++) {
		const struct node_plan *node = &trial->plans.plans[0].nodes[i];
		if (node->kind != NODE_CHILD || trial->is_destroyed)
			continue;
		build_graph(world, &trial->plans, node->child, &child);
		SAY(cuGraphExecChildGraphNodeSetParams, trial->exec, trial->built.nodes[i],
		    child.graph);
		SAY(cuGraphDestroy, child.graph);
	}
}

/* One in three updates is from a graph of another shape, which the driver refuses. */
static void update(struct world *world, struct random *random, struct trial *trial)
{
	CUgraphExecUpdateResultInfo info = {0};
	struct plans other;
	struct built built;
	plan_again(random, &trial->plans);
	if (random_once_in(random, 3))
		plan_graph(random, &other);
	else
		other = trial->plans;
	build_graph(world, &other, 0, &built);
	SAY(cuGraphExecUpdate, trial->exec, built.graph, &info);
	printf("%d, %d\n", (int)info.result, info.errorNode != NULL);
	SAY(cuGraphDestroy, built.graph);
}

static void toggle(struct random *random, struct trial *trial)
{
	unsigned place = random_below(random, trial->plans.plans[0].n_nodes);
	unsigned is_enabled = 0;
	enum node_kind kind = trial->plans.plans[0].nodes[place].kind;
	if (trial->is_destroyed || (kind != NODE_KERNEL && kind != NODE_MEMSET))
		return;
	SAY(cuGraphNodeSetEnabled, trial->exec, trial->built.nodes[place],
	    random_once_in(random, 2));
	SAY(cuGraphNodeGetEnabled, trial->exec, trial->built.nodes[place], &is_enabled);
	printf("%s\n", is_enabled ? "enabled" : "disabled");
}

static void launch(const struct world *world, struct random *random, struct trial *trial)
{
	unsigned n = random_between(random, 1, 3);
	for (unsigned i = 0; i < n; i++)
		SAY(cuGraphLaunch, trial->exec, trial->stream);
	SAY(cuStreamSynchronize, trial->stream);
	print_values(world);
}

static void destroy_graph(struct trial *trial)
{
	if (!trial->is_destroyed)
		SAY(cuGraphDestroy, trial->built.graph);
	trial->is_destroyed = true;
}

static void act(struct world *world, struct random *random, struct trial *trial)
{
	switch (random_below(random, 12)) {
	case 0:
	case 1:
	case 2:
		set_node(world, random, trial);
		break;
	case 3:
	case 4:
		update(world, random, trial);
		break;
	case 5:
		set_child(world, random, trial);
		break;
	case 6:
		toggle(random, trial);
		break;
	case 7:
		SAY(cuGraphUpload, trial->exec, trial->stream);
		break;
	case 8:
		if (random_once_in(random, 3))
			destroy_graph(trial);
		break;
	default:
		launch(world, random, trial);
	}
}

static void try_graph(struct world *world, struct random *random)
{
	struct trial trial = {0};
	plan_graph(random, &trial.plans);
	fill_buffers(world);
	SAY(cuStreamCreate, &trial.stream, CU_STREAM_NON_BLOCKING);
	build_graph(world, &trial.plans, 0, &trial.built);
	instantiate(random, &trial);
	print_graph(&trial, trial.plans.plans[0].n_nodes);
	launch(world, random, &trial);
	for (unsigned i = random_between(random, 2, 10); i; i--)
		act(world, random, &trial);
	launch(world, random, &trial);
	SAY(cuGraphExecDestroy, trial.exec);
	destroy_graph(&trial);
	SAY(cuStreamDestroy, trial.stream);
}

int main(int argc, char **argv)
{
	static struct world world;
	if (argc < 4) {
		fprintf(stderr, "usage: random_graphs KERNELS SEED N\n");
		return 2;
	}
	open_world(&world, argv[1]);
	struct random random = {.state = strtoull(argv[2], NULL, 0)};
	for (unsigned n = (unsigned)strtoul(argv[3], NULL, 0); n; n--)
		try_graph(&world, &random);
	return 0;
}
