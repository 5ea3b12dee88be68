/*
 * nan_json.c - where a NaN began, as JSON.
 */
#include "json/json_parts.h"

#include "base/text.h"
#include "report/report_names.h"
#include "report/report_nan.h"
#include "json/json_values.h"

enum { NAME_SIZE = 1024 };

/* The members that a checked launch and a checked node have in common. */
struct checked {
	uint32_t function, stack, parameter, offset;
};

static struct checked checked_of(const struct bundle_view *view, struct nan_location location)
{
	if (location.is_node) {
		const struct graph_check_row *row = view_graph_check(view, location.row);
		return (struct checked){row->function, row->stack, row->parameter, row->offset};
	}
	const struct check_row *row = view_check(view, location.row);
	return (struct checked){row->function, row->stack, row->parameter, row->offset};
}

/* Return {"name", "mangled"}: both are null if the kernel's row is lost. */
static json_t *kernel_to_json(const struct analysis *analysis, uint32_t id)
{
	const struct function_row *function = view_function(analysis->report.view, id);
	char name[NAME_SIZE];
	struct text text = text_in(name, sizeof(name));
	if (!function)
		return json_pack("{s:n, s:n}", "kernel", "kernel_mangled");
	report_function_name(&analysis->report, function->name, &text);
	return json_pack("{s:o, s:o}", "kernel", json_foreign(name), "kernel_mangled",
			 json_view_string(analysis->report.view, function->name));
}

static json_t *values_to_json(const struct nan_values *values)
{
	const struct check_result *result = values->result;
	return json_pack("{s:s, s:b, s:o, s:o, s:o, s:o}", "type", report_nan_type(result->type),
			 "guessed", (result->flags & CHECK_TYPE_WAS_GUESSED) != 0, "n",
			 json_count(result->n), "nan", json_count(result->n_nan), "infinite",
			 json_count(result->n_infinite), "first",
			 values->n ? json_count(values->first) : json_null());
}

static json_t *replay_to_json(const struct bundle_view *view, struct nan_location location)
{
	const struct graph_check_row *row =
		location.is_node ? view_graph_check(view, location.row) : NULL;
	if (!row)
		return json_pack("{s:n, s:n, s:n}", "graph", "replay", "node");
	return json_pack("{s:o, s:o, s:o}", "graph", json_handle(row->handle), "replay",
			 json_count(row->replay), "node", json_count(row->node));
}

/* Return NAN_ARGUMENT, with the values before the kernel or after it. */
static json_t *place_to_json(const struct analysis *analysis, struct nan_location location,
			     bool is_after)
{
	const struct bundle_view *view = analysis->report.view;
	const struct checked checked = checked_of(view, location);
	struct nan_values values = nan_values_at(view, location, is_after);
	json_t *object = json_pack("{s:o, s:o, s:o, s:o, s:o}", "submission",
				   location.sequence ? json_count(location.sequence) : json_null(),
				   "argument", json_count(checked.parameter), "field",
				   checked.offset ? json_count(checked.offset) : json_null(),
				   "stack", stack_to_json(analysis, checked.stack), "python_stack",
				   python_stack_to_json(analysis, checked.stack));
	json_object_update_new(object, replay_to_json(view, location));
	json_object_update_new(object, kernel_to_json(analysis, checked.function));
	json_object_update_new(object, values_to_json(&values));
	return object;
}

json_t *nan_to_json(const struct analysis *analysis)
{
	struct nan_story story;
	nan_story_find(analysis->report.view, analysis->verdict, &story);
	if (story.origin == NAN_NONE)
		return json_null();
	json_t *links = json_array();
	for (uint64_t i = 0; i < story.n_links && i < NAN_MAX_LINKS; i++)
		json_array_append_new(links, place_to_json(analysis, story.links[i], true));
	return json_pack(
		"{s:s, s:o, s:o, s:o, s:o, s:o}", "origin", report_nan_label(&story), "at",
		place_to_json(analysis, story.first, story.origin != NAN_BROUGHT), "passed_on",
		links, "n_passed_on", json_count(story.n_links), "reached",
		story.reached.row ? place_to_json(analysis, story.reached, false) : json_null(),
		"reached_through",
		story.derived.row ? place_to_json(analysis, story.derived, true) : json_null());
}
