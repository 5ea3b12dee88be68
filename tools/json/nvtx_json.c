/*
 * nvtx_json.c - the NVTX ranges of a suspect as JSON.
 */
#include "json/json_parts.h"

#include <string.h>

#include "view/nvtx_view.h"
#include "json/json_values.h"

static json_t *range_to_json(const struct analysis *analysis, enum nvtx_scope scope,
			     const struct record_nvtx *range)
{
	char text[NVTX_TEXT_MAX + 1] = "";
	if (range)
		memcpy(text, range->text, range->text_size);
	return json_pack(
		"{s:s, s:o, s:b, s:o}", "scope", scope == NVTX_OF_THREAD ? "thread" : "process",
		"text", range ? json_foreign(text) : json_null(), "cut", range && range->is_cut,
		"domain", json_view_string(analysis->report.view, range ? range->domain : 0));
}

static void add_ranges(const struct analysis *analysis, uint32_t slot,
		       const struct nvtx_ranges *ranges, enum nvtx_scope scope, json_t *array)
{
	struct record_nvtx range;
	for (uint32_t i = 0; i < ranges->n_open[scope]; i++) {
		bool is_here =
			view_nvtx_range(analysis->report.view, slot, ranges, scope, i, &range);
		json_array_append_new(array,
				      range_to_json(analysis, scope, is_here ? &range : NULL));
	}
}

json_t *nvtx_to_json(const struct analysis *analysis, const struct submission *suspect)
{
	json_t *array = json_array();
	struct nvtx_ranges ranges;
	if (view_nvtx(analysis->report.view, suspect->slot, &suspect->record, &ranges)) {
		add_ranges(analysis, suspect->slot, &ranges, NVTX_OF_PROCESS, array);
		add_ranges(analysis, suspect->slot, &ranges, NVTX_OF_THREAD, array);
	}
	return json_pack("{s:o, s:o}", "nvtx", array, "nvtx_unkept", json_count(ranges.n_unkept));
}
