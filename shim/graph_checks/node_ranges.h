/*
 * node_ranges.h - the memory that a kernel node's check reads.
 */
#ifndef CULPRIT_GRAPH_CHECKS_NODE_RANGES_H
#define CULPRIT_GRAPH_CHECKS_NODE_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check_format.h"
#include "base/cuda_api.h"
#include "check/argument_ranges.h"

struct function;

struct node_ranges {
	uint32_t n;
	uint32_t consts; /* bits of the ranges that no parameter but a pointer to const leads to */
	struct argument_range pointers[CHECK_MAX_RANGES];
	uint64_t given[CHECK_MAX_RANGES]; /* bytes, of which `pointers` may have a part */
	uint32_t types[CHECK_MAX_RANGES]; /* to ask a check for */
};

/*
 * List what the parameters of a kernel point to and its context may read, up to a limit of bytes
 * for each pointer. Any thread.
 */
void node_ranges_find(const struct function *function, const CUDA_KERNEL_NODE_PARAMS *params,
		      const struct context *context, struct node_ranges *out);

/* True if both lists have the same ranges. */
bool node_ranges_are_equal(const struct node_ranges *one, const struct node_ranges *other);

/* True if no range was freed. Any thread. */
bool node_ranges_are_live(const struct node_ranges *ranges);

/* Leave freed ranges without bytes, in their places. The list's owner. */
void node_ranges_drop_freed(struct node_ranges *ranges);

#endif
