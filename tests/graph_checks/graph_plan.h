/*
 * graph_plan.h - random graphs whose results do not depend on the order in which their nodes happen
 * to run: a node waits for each earlier one that writes what it uses, or uses what it writes.
 */
#ifndef CULPRIT_GRAPH_CHECKS_GRAPH_PLAN_H
#define CULPRIT_GRAPH_CHECKS_GRAPH_PLAN_H

#include <cuda.h>
#include <stdbool.h>

#include "random.h"

enum { MAX_NODES = 14, N_BUFFERS = 8, N_VALUES = 256, MAX_DEPTH = 2, N_KERNELS = 4 };

enum node_kind { NODE_KERNEL, NODE_MEMSET, NODE_COPY, NODE_HOST, NODE_EMPTY, NODE_CHILD };

struct world {
	CUcontext context;
	CUfunction kernels[N_KERNELS]; /* scale, add, divide, multiply */
	CUdeviceptr buffers[N_BUFFERS];
	unsigned n_host_calls;
};

struct node_plan {
	enum node_kind kind;
	unsigned kernel;
	unsigned out, in[2]; /* buffers */
	float factor;
	unsigned extra; /* one more node that it waits for, modulo its place */
	unsigned child; /* index of a plan */
};

struct graph_plan {
	unsigned n_nodes;
	struct node_plan nodes[MAX_NODES];
};

enum { MAX_PLANS = 40 };
struct plans {
	unsigned n_plans;
	struct graph_plan
		plans[MAX_PLANS]; /* the first is the whole graph; the rest are children */
};

/* A graph that was built, with its nodes, except those of child graphs. */
struct built {
	CUgraph graph;
	CUgraphNode nodes[MAX_NODES];
};

/* Plan a random graph. */
void plan_graph(struct random *random, struct plans *out);

/* Change the factors of all kernels, so that the graph keeps its shape. */
void plan_again(struct random *random, struct plans *plans);

/* Build the graph of a plan, node by node. Prints the result of each call. */
void build_graph(struct world *world, const struct plans *plans, unsigned plan, struct built *out);

/* A kernel's arguments; `pointers` point into the same object. */
struct kernel_arguments {
	CUdeviceptr buffers[3];
	float factor;
	int n;
	void *pointers[4];
};
CUDA_KERNEL_NODE_PARAMS kernel_parameters(struct world *world, const struct node_plan *node,
					  struct kernel_arguments *arguments);
CUDA_MEMSET_NODE_PARAMS memset_parameters(const struct world *world, const struct node_plan *node);
CUDA_MEMCPY3D copy_parameters(const struct world *world, const struct node_plan *node);

/* Print the call's name and result. Returns the result. */
CUresult say(const char *call, CUresult result);
#define SAY(call, ...) say(#call, call(__VA_ARGS__))

#endif
