/*
 * launch.h - one kernel launch: the kernel and its arguments. The launching call itself is a macro,
 * so that it is on the line of the scenario's own function, which a verdict must name.
 */
#ifndef CULPRIT_CORPUS_LAUNCH_H
#define CULPRIT_CORPUS_LAUNCH_H

#include "driver.h"
#include <stddef.h>
#include <stdint.h>

struct corpus;

enum {
	LAUNCH_MAX_VALUES = 4,
};

/*
 * An element that no array has: neither the host nor the GPU maps memory 32 TiB after other memory.
 */
#define FAR_INDEX (1ull << 43)

/* params point into this object, so it must stay where launch_init found it. */
struct launch {
	const char *kernel;
	CUfunction function;
	CUstream stream;
	unsigned grid[3], block[3], shared_bytes;
	unsigned tag;                       /* the kernel's first argument */
	uint64_t values[LAUNCH_MAX_VALUES]; /* its others; a 32-bit one is the low half */
	void *params[1 + LAUNCH_MAX_VALUES];
	size_t freed_bytes; /* size of the freed memory at its first value; 0: not freed */
	/* Where its node was added to a graph, see NODE_NEXT; NULL and 0 if it is not a node. */
	const char *node_function;
	int node_line;
};

/*
 * Prepare a launch of four blocks of 32 threads with a new tag; values has LAUNCH_MAX_VALUES
 * elements.
 */
void launch_init(struct launch *launch, struct corpus *corpus, const char *kernel, CUstream stream,
		 const uint64_t *values);
#define VALUES(...) ((const uint64_t[LAUNCH_MAX_VALUES]){__VA_ARGS__})

/* Make clean launches of the kernels fill and spin. */
CUresult launch_fill(struct corpus *corpus, CUdeviceptr data, CUstream stream);
CUresult launch_spin(struct corpus *corpus, unsigned microseconds, CUstream stream);

#define LAUNCH_ARGUMENTS(launch)                                                     \
	(launch)->function, (launch)->grid[0], (launch)->grid[1], (launch)->grid[2], \
		(launch)->block[0], (launch)->block[1], (launch)->block[2],          \
		(launch)->shared_bytes, (launch)->stream, (launch)->params

#define LAUNCH(launch) CU(cuLaunchKernel)(LAUNCH_ARGUMENTS(launch), NULL)

/* The launch becomes a node of a graph on the next line, in the file of the bad submission. */
#define NODE_NEXT(launch) ((launch)->node_function = __func__, (launch)->node_line = __LINE__ + 1)

#endif
