/*
 * argument_json.c - the arguments of a launch as JSON, with the memory that they point to.
 */
#include "json/json_parts.h"

#include <stdlib.h>

#include "memory/memory_labels.h"
#include "memory/memory_owner.h"
#include "report/report_arguments.h"
#include "json/json_values.h"

static const char *state_word(enum place place)
{
	switch (place) {
	case PLACE_INSIDE:
		return "inside";
	case PLACE_FREED:
		return "freed";
	case PLACE_IN_FLIGHT:
		return "freed_in_flight";
	case PLACE_RESERVED:
		return "reserved";
	case PLACE_PAST:
		return "past";
	case PLACE_BEFORE:
		return "before";
	default:
		return NULL;
	}
}

static json_t *allocation_to_json(const struct analysis *analysis, const struct argument *argument)
{
	const struct bundle_view *view = analysis->report.view;
	const struct range_row *range = &argument->range;
	bool is_freed = argument->place == PLACE_FREED || argument->place == PLACE_IN_FLIGHT;
	int device = memory_device(view, range);
	if (argument->place == PLACE_NONE)
		return json_null();
	return json_pack(
		"{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "state",
		state_word(argument->place), "kind", memory_kind_label(range->kind), "device",
		device >= 0 ? json_integer(device) : json_null(), "number",
		json_count(range->number), "start", json_handle(range->start), "offset",
		json_count(argument->distance), "size", json_count(range->size), "call",
		json_view_string(view, range->call), "stack", stack_to_json(analysis, range->stack),
		"python_stack", python_stack_to_json(analysis, range->stack), "freed_call",
		json_view_string(view, is_freed ? range->freed_call : 0), "freed_after",
		is_freed ? json_count(range->freed_after) : json_null(), "freed_stack",
		is_freed ? stack_to_json(analysis, range->freed_stack) : json_null(),
		"freed_python_stack",
		is_freed ? python_stack_to_json(analysis, range->freed_stack) : json_null());
}

static json_t *block_frames_to_json(const struct memory_block_stack *stack)
{
	json_t *array = json_array();
	for (uint32_t i = 0; i < stack->n; i++) {
		const struct memory_block_frame *frame = &stack->frames[i];
		json_array_append_new(array,
				      json_pack("{s:o, s:o, s:o}", "file",
						json_foreign(frame->file), "line",
						frame->line ? json_count(frame->line) : json_null(),
						"function", json_foreign(frame->function)));
	}
	return array;
}

json_t *block_to_json(const struct memory_block *block, uint64_t address)
{
	if (!block)
		return json_null();
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "state",
			 memory_block_label(block->state), "start", json_handle(block->start),
			 "offset", json_count(address - block->start), "size",
			 json_count(block->size), "allocated",
			 block_frames_to_json(&block->allocated), "freed",
			 block_frames_to_json(&block->freed));
}

static const struct memory_block *block_of(const struct analysis *analysis,
					   const struct argument *argument)
{
	if (!place_is_inside(argument->place))
		return NULL;
	return memory_block_at(analysis->report.view->memory_blocks, argument->value,
			       &argument->range);
}

/* Convert and free `arguments`; NULL (out of memory) gives an empty array. */
static json_t *list_to_json(const struct analysis *analysis, struct launch_arguments *arguments)
{
	json_t *array = json_array();
	struct argument argument;
	for (uint32_t index = 0; arguments && index < arguments->n; index++) {
		if (!report_argument(analysis->report.view, arguments, index, &argument))
			break;
		json_array_append_new(
			array,
			json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "index", json_count(index),
				  "offset", json_count(argument.offset), "size",
				  json_count(argument.size), "hex",
				  json_bytes(argument.bytes, argument.bytes ? argument.size : 0),
				  "allocation", allocation_to_json(analysis, &argument), "block",
				  block_to_json(block_of(analysis, &argument), argument.value)));
	}
	free(arguments);
	return array;
}

json_t *arguments_to_json(const struct analysis *analysis, const struct submission *suspect)
{
	struct launch_arguments *arguments = malloc(sizeof(*arguments));
	if (arguments)
		report_read_arguments(analysis->report.view, suspect, arguments);
	return list_to_json(analysis, arguments);
}

json_t *node_arguments_to_json(const struct analysis *analysis, const struct graph_node_row *node)
{
	const struct verdict *verdict = analysis->verdict;
	const struct submission *graph = verdict->n_suspects > 0 ? &verdict->suspects[0] : NULL;
	struct launch_arguments *arguments = malloc(sizeof(*arguments));
	if (arguments)
		report_read_node_arguments(analysis->report.view, graph, node, arguments);
	return list_to_json(analysis, arguments);
}
