/*
 * suspect_json.c - a suspect as JSON: the work, its arguments and where it was submitted.
 */
#include "json/json_parts.h"

#include "report/report_labels.h"
#include "json/json_values.h"

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

/* Return the members of a kernel launch; they are null for other work. */
static json_t *launch_to_json(const struct analysis *analysis, const struct journal_record *record)
{
	const struct record_launch *launch = &record->launch;
	const struct function_row *function =
		view_function(analysis->report.view, launch->function);
	const uint16_t *cluster = launch->cluster;
	if (record->work != WORK_KERNEL)
		return json_pack("{s:n, s:n, s:n, s:n, s:n, s:n}", "kernel", "kernel_mangled",
				 "grid", "block", "cluster", "shared_bytes");
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o}", "kernel", work_name_to_json(analysis, record),
		"kernel_mangled",
		json_view_string(analysis->report.view, function ? function->name : 0), "grid",
		json_dimensions(launch->grid[0], launch->grid[1], launch->grid[2]), "block",
		json_dimensions(launch->block[0], launch->block[1], launch->block[2]), "cluster",
		cluster[0] ? json_dimensions(cluster[0], cluster[1], cluster[2]) : json_null(),
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

/* Return the kind of work and the members that describe it. */
static json_t *work_to_json(const struct analysis *analysis, const struct journal_record *record)
{
	json_t *work =
		json_pack("{s:o, s:s, s:o, s:o, s:o, s:o}", "submission",
			  json_count(record->sequence), "kind", report_work_label(record->work),
			  "call", json_view_string(analysis->report.view, record->call), "name",
			  work_name_to_json(analysis, record), "copy", memory_to_json(record),
			  "graph", graph_to_json(analysis, record));
	json_t *launch = launch_to_json(analysis, record);
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

/* Return the members that say where and how the work was submitted. */
static json_t *origin_to_json(const struct analysis *analysis, const struct submission *suspect)
{
	const struct bundle_view *view = analysis->report.view;
	const struct journal_record *record = &suspect->record;
	const struct stream_row *stream = view_stream(view, record->stream);
	const struct context_row *context = stream ? view_context(view, stream->context) : NULL;
	return json_pack(
		"{s:{s:o, s:o, s:o, s:s, s:o}, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
		"stream", "id", json_count(record->stream), "label",
		stream_label_to_json(analysis, record->stream), "handle",
		json_handle(stream ? stream->handle : 0), "kind",
		label_stream_kind(stream ? stream->kind : STREAM_EXPLICIT), "ordinal",
		ordinal_to_json(analysis, record->stream, record->ordinal), "context",
		context_to_json(context), "device", device_to_json(analysis, context), "thread",
		thread_to_json(analysis, record->tid), "time_ns", json_count(record->time_ns),
		"time", process_moment_to_json(analysis, record->time_ns), "result",
		record->result == RESULT_PENDING ? json_null() : json_integer(record->result),
		"attributes", attributes_to_json(record), "arguments",
		arguments_to_json(analysis, suspect), "stack",
		stack_to_json(analysis, record->stack), "python_stack",
		python_stack_to_json(analysis, record->stack));
}

json_t *suspect_to_json(const struct analysis *analysis, const struct submission *suspect)
{
	json_t *work = work_to_json(analysis, &suspect->record);
	json_t *origin = origin_to_json(analysis, suspect);
	json_t *nvtx = nvtx_to_json(analysis, suspect);
	if (work && origin)
		json_object_update(work, origin);
	if (work && nvtx)
		json_object_update(work, nvtx);
	json_decref(origin);
	json_decref(nvtx);
	return work;
}

static json_t *group_to_json(const struct analysis *analysis, const struct suspect_group *group)
{
	const struct journal_record *record = &group->first.record;
	return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "n", json_count(group->n),
			 "kind", report_work_label(record->work), "name",
			 work_name_to_json(analysis, record), "submission",
			 json_count(record->sequence), "earliest", json_count(group->earliest),
			 "latest", json_count(group->latest), "stack",
			 stack_to_json(analysis, record->stack), "python_stack",
			 python_stack_to_json(analysis, record->stack));
}

json_t *suspect_groups_to_json(const struct analysis *analysis)
{
	const struct verdict *verdict = analysis->verdict;
	json_t *array = json_array();
	for (uint32_t index = 0; index < verdict->n_groups; index++)
		json_array_append_new(array, group_to_json(analysis, &verdict->groups[index]));
	return array;
}
