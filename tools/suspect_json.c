/*
 * suspect_json.c - one suspect as JSON: what was submitted, from where, with which arguments.
 */
#include <stdlib.h>

#include "json_values.h"
#include "report_json.h"
#include "text.h"

enum { NAME_SIZE = 16384 };

static const char *place_word(enum place place)
{
	switch (place) {
	case PLACE_INSIDE:
		return "inside";
	case PLACE_FREED:
		return "freed";
	case PLACE_PAST:
		return "past";
	default:
		return NULL;
	}
}

static json_t *allocation_to_json(const struct analysis *analysis, const struct argument *argument)
{
	const struct bundle_view *view = analysis->report.view;
	const struct range_row *range = &argument->range;
	bool is_freed = argument->place == PLACE_FREED;

	if (argument->place == PLACE_NONE)
		return json_null();
	return json_pack(
		"{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "state",
		place_word(argument->place), "number", json_count(range->number), "start",
		json_handle(range->start), "offset", json_count(argument->distance), "size",
		json_count(range->size), "call", json_view_string(view, range->call), "stack",
		stack_to_json(analysis, range->stack), "python_stack",
		python_stack_to_json(analysis, range->stack), "freed_call",
		json_view_string(view, is_freed ? range->freed_call : 0), "freed_after",
		is_freed ? json_count(range->freed_after) : json_null(), "freed_stack",
		is_freed ? stack_to_json(analysis, range->freed_stack) : json_null(),
		"freed_python_stack",
		is_freed ? python_stack_to_json(analysis, range->freed_stack) : json_null());
}

json_t *arguments_to_json(const struct analysis *analysis, struct launch_arguments *arguments)
{
	json_t *array = json_array();
	struct argument argument;

	for (uint32_t index = 0; arguments && index < arguments->n; index++) {
		if (!report_argument(analysis->report.view, arguments, index, &argument))
			break;
		json_array_append_new(
			array,
			json_pack("{s:o, s:o, s:o, s:o, s:o}", "index", json_count(index), "offset",
				  json_count(argument.offset), "size", json_count(argument.size),
				  "hex",
				  json_bytes(argument.bytes, argument.bytes ? argument.size : 0),
				  "allocation", allocation_to_json(analysis, &argument)));
	}
	free(arguments);
	return array;
}

static json_t *suspect_arguments_to_json(const struct analysis *analysis,
					 const struct submission *suspect)
{
	struct launch_arguments *arguments = malloc(sizeof(*arguments));

	if (arguments)
		report_read_arguments(analysis->report.view, suspect, arguments);
	return arguments_to_json(analysis, arguments);
}

static json_t *attributes_to_json(const struct journal_record *record)
{
	static const struct {
		uint16_t flag;
		const char *word;
	} words[] = {
		{RECORD_SYNCHRONOUS, "synchronous"},     {RECORD_OVERLAPS, "programmatic_overlap"},
		{RECORD_COOPERATIVE, "cooperative"},     {RECORD_ARGUMENTS_CUT, "arguments_cut"},
		{RECORD_UNORDERED, "order_not_known"},   {RECORD_MARKED_SIDE, "side_marker"},
		{RECORD_MARKED_INLINE, "inline_marker"},
	};
	json_t *array = json_array();

	for (size_t index = 0; index < sizeof(words) / sizeof(words[0]); index++)
		if (record->flags & words[index].flag)
			json_array_append_new(array, json_string(words[index].word));
	return array;
}

json_t *dimensions_to_json(uint32_t x, uint32_t y, uint32_t z)
{
	return json_pack("[o, o, o]", json_count(x), json_count(y), json_count(z));
}

static json_t *name_to_json(const struct analysis *analysis, const struct journal_record *record)
{
	char *name = malloc(NAME_SIZE);
	json_t *value;
	struct text text;

	if (!name)
		return NULL;
	text = text_in(name, NAME_SIZE);
	report_work_name(&analysis->report, record, false, &text);
	value = json_string(name);
	free(name);
	return value;
}

static json_t *launch_to_json(const struct analysis *analysis, const struct journal_record *record)
{
	const struct record_launch *launch = &record->launch;
	const struct function_row *function =
		view_function(analysis->report.view, launch->function);
	const uint16_t *cluster = launch->cluster;

	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o}", "kernel", name_to_json(analysis, record),
		"kernel_mangled",
		json_view_string(analysis->report.view, function ? function->name : 0), "grid",
		dimensions_to_json(launch->grid[0], launch->grid[1], launch->grid[2]), "block",
		dimensions_to_json(launch->block[0], launch->block[1], launch->block[2]), "cluster",
		cluster[0] ? dimensions_to_json(cluster[0], cluster[1], cluster[2]) : json_null(),
		"shared_bytes", json_count(launch->shared_bytes));
}

static json_t *memory_to_json(const struct journal_record *record)
{
	if (record->work != WORK_COPY && record->work != WORK_MEMSET)
		return json_null();
	return json_pack("{s:o, s:o, s:o}", "destination", json_handle(record->memory.destination),
			 "source", json_handle(record->memory.source), "bytes",
			 json_count(record->memory.bytes));
}

/* What kind of work it is, and the members of that kind. */
static json_t *work_to_json(const struct analysis *analysis, const struct journal_record *record)
{
	json_t *work =
		json_pack("{s:o, s:s, s:o, s:o, s:n, s:n, s:o, s:o}", "submission",
			  json_count(record->sequence), "kind", report_work_word(record->work),
			  "call", json_view_string(analysis->report.view, record->call), "name",
			  name_to_json(analysis, record), "kernel", "kernel_mangled", "copy",
			  memory_to_json(record), "graph", graph_to_json(analysis, record));
	json_t *launch;

	if (record->work != WORK_KERNEL)
		return work;
	launch = launch_to_json(analysis, record);
	if (work && launch)
		json_object_update(work, launch);
	json_decref(launch);
	return work;
}

static json_t *context_to_json(const struct context_row *context)
{
	if (!context)
		return json_null();
	return json_pack("{s:o, s:o}", "id", json_count(context->id), "handle",
			 json_handle(context->handle));
}

static json_t *device_to_json(const struct analysis *analysis, const struct context_row *context)
{
	if (!context)
		return json_null();
	return json_pack("{s:o, s:o}", "ordinal", json_count(context->device), "name",
			 json_view_string(analysis->report.view, context->device_name));
}

/* Where it was submitted. */
static json_t *place_to_json(const struct analysis *analysis, const struct submission *suspect)
{
	const struct bundle_view *view = analysis->report.view;
	const struct journal_record *record = &suspect->record;
	const struct stream_row *stream = view_stream(view, record->stream);
	const struct context_row *context = stream ? view_context(view, stream->context) : NULL;

	return json_pack(
		"{s:{s:o, s:o, s:o, s:s, s:o}, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
		"stream", "id", json_count(record->stream), "label",
		stream_label_to_json(analysis, record->stream), "handle",
		json_handle(stream ? stream->handle : 0), "kind",
		stream_kind_word(stream ? stream->kind : STREAM_EXPLICIT), "ordinal",
		ordinal_to_json(analysis, record->stream, record->ordinal), "context",
		context_to_json(context), "device", device_to_json(analysis, context), "thread",
		thread_to_json(analysis, record->tid), "time_ns", json_count(record->time_ns),
		"result",
		record->result == RESULT_PENDING ? json_null() : json_integer(record->result),
		"attributes", attributes_to_json(record), "arguments",
		suspect_arguments_to_json(analysis, suspect), "stack",
		stack_to_json(analysis, record->stack), "python_stack",
		python_stack_to_json(analysis, record->stack));
}

json_t *suspect_to_json(const struct analysis *analysis, const struct submission *suspect)
{
	json_t *work = work_to_json(analysis, &suspect->record);
	json_t *place = place_to_json(analysis, suspect);

	json_t *nvtx = nvtx_to_json(analysis, suspect);

	if (work && place)
		json_object_update(work, place);
	if (work && nvtx)
		json_object_update(work, nvtx);
	json_decref(place);
	json_decref(nvtx);
	return work;
}
