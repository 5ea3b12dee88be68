/*
 * node_ranges.c - the ranges of one node.
 */
#include "graph_checks/node_ranges.h"

#include "inspect/argument_types.h"
#include "record/graphs/graph_walk.h"
#include "record/objects/functions.h"

enum { MAX_RANGE_BYTES = 64 << 20 };

void node_ranges_find(const struct function *function, const CUDA_KERNEL_NODE_PARAMS *params,
		      const struct context *context, struct node_ranges *out)
{
	size_t n = argument_ranges_find(function, params->kernelParams, params->extra,
					out->pointers, CHECK_MAX_RANGES);
	struct argument_types types;
	argument_types_find(function->id, graph_walk_kernel(params), &types);
	out->n = 0;
	for (size_t i = 0; i < n; i++) {
		struct argument_range range = out->pointers[i];
		if (range.bytes > MAX_RANGE_BYTES)
			range.bytes = MAX_RANGE_BYTES;
		if (!argument_ranges_can_read(&range, context))
			continue;
		out->types[out->n] = argument_types_of(&types, range.parameter, range.offset);
		out->pointers[out->n++] = range;
	}
}

static bool is_freed(const struct argument_range *range)
{
	return range->bytes && !argument_ranges_is_live(range);
}

bool node_ranges_are_live(const struct node_ranges *ranges)
{
	for (uint32_t i = 0; i < ranges->n; i++)
		if (is_freed(&ranges->pointers[i]))
			return false;
	return true;
}

void node_ranges_drop_freed(struct node_ranges *ranges)
{
	for (uint32_t i = 0; i < ranges->n; i++)
		if (is_freed(&ranges->pointers[i]))
			ranges->pointers[i].bytes = 0;
}
