/*
 * node_ranges.c - the ranges of one node.
 */
#include "graph_checks/node_ranges.h"

#include "inspect/argument_types.h"
#include "record/graphs/graph_walk.h"
#include "record/objects/functions.h"

void node_ranges_find(const struct function *function, const CUDA_KERNEL_NODE_PARAMS *params,
		      const struct context *context, struct node_ranges *out)
{
	struct argument_types types;
	*out = (struct node_ranges){0};
	out->n = (uint32_t)argument_ranges_find(function, params->kernelParams, params->extra,
						context, out->pointers, CHECK_MAX_RANGES);
	argument_types_find(function->id, graph_walk_kernel(params), &types);
	for (uint32_t i = 0; i < out->n; i++) {
		struct argument_range *range = &out->pointers[i];
		out->given[i] = range->bytes;
		if (range->bytes > CHECK_MAX_BYTES)
			range->bytes = CHECK_MAX_BYTES;
		out->types[i] = argument_types_of(&types, range->parameter, range->offset);
		if (!range->is_repeated &&
		    argument_types_is_const(&types, range->parameter, range->offset))
			out->consts |= 1u << i;
	}
}

bool node_ranges_are_equal(const struct node_ranges *one, const struct node_ranges *other)
{
	bool are_equal = one->n == other->n && one->consts == other->consts;
	for (uint32_t i = 0; i < one->n && are_equal; i++)
		are_equal = one->types[i] == other->types[i] &&
			    one->pointers[i].parameter == other->pointers[i].parameter &&
			    one->pointers[i].offset == other->pointers[i].offset &&
			    one->pointers[i].address == other->pointers[i].address &&
			    one->pointers[i].bytes == other->pointers[i].bytes &&
			    one->pointers[i].number == other->pointers[i].number;
	return are_equal;
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
			ranges->pointers[i].bytes = ranges->given[i] = 0;
}
