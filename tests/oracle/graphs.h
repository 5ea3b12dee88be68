/*
 * graphs.h - the graphs of a program, and the arguments of its kernels.
 */
#ifndef CULPRIT_ORACLE_GRAPHS_H
#define CULPRIT_ORACLE_GRAPHS_H

#include "world.h"

/* Make the graphs of the program. While a graph is made, its context is current. */
void world_make_graphs(struct world *world);

/* The parameters of a kernel: they point into the same object, which therefore must not move. */
struct arguments {
	unsigned tag;
	unsigned microseconds;
	CUdeviceptr data;
	uint64_t value;
	void *pointers[4];
};
void arguments_init(struct arguments *arguments, const struct world *world,
		    const struct launch_plan *launch, unsigned context, CUdeviceptr data);

/* Return the last argument that makes this kernel fail. */
uint64_t wrong_value(enum kernel kernel);

/* Parameters of a kernel node. */
CUDA_KERNEL_NODE_PARAMS node_parameters(const struct world *world, unsigned context,
					const struct launch_plan *launch,
					struct arguments *arguments);

#endif
