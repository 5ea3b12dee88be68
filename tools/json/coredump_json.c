/*
 * coredump_json.c - the contents of a GPU core dump as JSON; see report_json.h.
 */
#include "json/json_parts.h"

#include "coredump/gpu_exceptions.h"
#include "json/json_values.h"

static json_t *three_to_json(const uint32_t three[3])
{
	return json_dimensions(three[0], three[1], three[2]);
}

static json_t *string_to_json(const char *string)
{
	return *string ? json_foreign(string) : json_null();
}

static json_t *inlined_to_json(const struct gpu_line *line)
{
	return line->inlined ? string_to_json(line->inlined) : json_null();
}

static json_t *callers_to_json(const struct gpu_code *code)
{
	json_t *array = json_array();
	for (uint32_t i = 0; i < code->n_callers; i++) {
		const struct gpu_line *line = &code->callers[i];
		json_array_append_new(array, json_pack("{s:o, s:o, s:o, s:o}", "inlined",
						       inlined_to_json(line), "directory",
						       string_to_json(line->directory), "file",
						       string_to_json(line->file), "line",
						       json_count(line->line)));
	}
	return array;
}

static json_t *location_to_json(const struct gpu_location *location)
{
	const struct gpu_line *line = &location->code.line;
	return json_pack(
		"{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "exception",
		gpu_exception_text(location->exception), "pc", json_handle(location->pc),
		"function", string_to_json(location->code.function), "directory",
		string_to_json(line->directory), "file", string_to_json(line->file), "line",
		*line->file ? json_count(line->line) : json_null(), "inlined",
		inlined_to_json(line), "callers", callers_to_json(&location->code), "block",
		location->has_thread ? three_to_json(location->block) : json_null(), "thread",
		location->has_thread ? three_to_json(location->thread) : json_null());
}

static json_t *grid_to_json(const struct gpu_fault_grid *entry)
{
	const struct gpu_grid *grid = &entry->grid;
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "id", json_count(grid->id),
			 "kernel", string_to_json(entry->kernel), "function",
			 json_handle(grid->function), "context", json_handle(grid->context), "grid",
			 three_to_json(grid->grid), "block", three_to_json(grid->block), "place",
			 location_to_json(&entry->location));
}

static json_t *grids_to_json(const struct gpu_fault *fault)
{
	json_t *array = json_array();
	for (uint32_t i = 0; i < fault->n_grids; i++)
		json_array_append_new(array, grid_to_json(&fault->grids[i]));
	return array;
}

static json_t *locations_to_json(const struct gpu_fault *fault)
{
	json_t *array = json_array();
	for (uint32_t i = 0; i < fault->n_locations; i++)
		json_array_append_new(array, location_to_json(&fault->locations[i]));
	return array;
}

json_t *coredump_to_json(const struct analysis *analysis)
{
	const struct coredump *coredump = analysis->bundle->coredump;
	const struct verdict *verdict = analysis->verdict;
	if (!coredump)
		return json_null();
	return json_pack(
		"{s:o, s:b, s:o, s:o, s:o, s:o}", "file", json_foreign(coredump->path), "used",
		verdict->coredump != NULL, "time",
		coredump->fault.time ? json_count(coredump->fault.time) : json_null(), "place",
		verdict->location ? location_to_json(verdict->location) : json_null(), "grids",
		grids_to_json(&coredump->fault), "places", locations_to_json(&coredump->fault));
}
