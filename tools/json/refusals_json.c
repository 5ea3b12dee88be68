/*
 * refusals_json.c - convert each refusal row of the journal to JSON.
 */
#include "json/refusals_json.h"

#include "json/json_values.h"
#include "json/process_json.h"
#include "json/stack_json.h"

static json_t *refusal_to_json(const struct analysis *analysis, const struct refusal_row *row)
{
	const struct bundle_view *view = analysis->report.view;
	return json_pack(
		"{s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "what",
		json_view_string(view, row->what), "code", (int)row->result, "call",
		json_view_string(view, row->call), "subject", json_view_string(view, row->subject),
		"why", json_view_string(view, row->why), "rule", json_view_string(view, row->rule),
		"count", json_count(view_live(&row->count)), "time",
		process_moment_to_json(analysis, row->time_ns), "stack",
		stack_to_json(analysis, row->stack), "python_stack",
		python_stack_to_json(analysis, row->stack));
}

json_t *refusals_to_json(const struct analysis *analysis)
{
	const struct bundle_view *view = analysis->report.view;
	uint64_t n = view->tables[JOURNAL_REFUSALS].n_rows;
	json_t *array = json_array();
	for (uint32_t id = 1; id <= n && id <= REFUSAL_ROWS_MAX; id++) {
		const struct refusal_row *row = view_refusal(view, id);
		if (!view_refusal_is_memory(view, row))
			json_array_append_new(array, refusal_to_json(analysis, row));
	}
	return array;
}
