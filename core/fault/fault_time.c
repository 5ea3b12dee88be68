/*
 * fault_time.c - find the first report of an access that failed.
 */
#include "fault/fault_time.h"

#include "base/time_units.h"

/*
 * The GPU may report a fault again after it tried the access again: up to 0.14 ms later on an H100.
 * Faults that are so near to each other are of one story.
 */
static const uint64_t SPAN_NS = NS_PER_S / 1000;

/* True if a device may use memory that is not CUDA's: its faults there are served, too. */
static bool reaches_host_memory(const struct bundle_view *view)
{
	uint64_t n_rows = view->tables[JOURNAL_CONTEXTS].n_rows;
	for (uint64_t id = 1; id <= n_rows && id <= UINT32_MAX; id++) {
		const struct context_row *row = view_context(view, (uint32_t)id);
		if (row && !(row->flags & CONTEXT_LACKS_HOST_MEMORY))
			return true;
	}
	return view->tables[JOURNAL_CONTEXTS].lost > 0;
}

/* Memory that the GPU may fault on and be served. The row's state does not matter. */
static bool has_served_memory(const struct bundle_view *view)
{
	uint64_t n_ranges = view->tables[JOURNAL_RANGES].n_rows;
	struct range_row row;
	for (uint64_t id = 1; id <= n_ranges && id <= UINT32_MAX; id++)
		if (view_range_copy(view, (uint32_t)id, &row) && row.kind == RANGE_MANAGED)
			return true;
	return view->tables[JOURNAL_RANGES].lost > 0;
}

/* True if the report may be of an access that was given up. One that only prefetched is not. */
static bool is_given_up(const struct bundle_view *view, const struct fault_row *report)
{
	const struct fault_row *row = NULL;
	for (uint32_t id = 1; (row = view_fault(view, id)); id++) {
		if (row->kind == FAULT_EVENT && row->address == report->address &&
		    row->access == report->access)
			return true;
	}
	return false;
}

/* Return the first report of an access that was given up, or NULL if no such report has a time. */
static const struct fault_row *first_report(const struct bundle_view *view)
{
	const struct fault_row *row = NULL;
	const struct fault_row *first = NULL;
	for (uint32_t id = 1; (row = view_fault(view, id)); id++) {
		if (row->kind == FAULT_TIMED && row->gpu_ns && row->time_ns &&
		    (!first || row->gpu_ns < first->gpu_ns) && is_given_up(view, row))
			first = row;
	}
	return first;
}

/* True if all reports are so near to this time that nothing was served before. */
static bool are_reports_near(const struct bundle_view *view, uint64_t time)
{
	const struct fault_row *row = NULL;
	for (uint32_t id = 1; (row = view_fault(view, id)); id++) {
		uint64_t distance = row->gpu_ns > time ? row->gpu_ns - time : time - row->gpu_ns;
		if (row->kind == FAULT_TIMED && distance > SPAN_NS)
			return false;
	}
	return true;
}

const struct fault_row *fault_time_find(const struct bundle_view *view,
					const struct fault_story *story)
{
	if (story->kind != FAULT_STORY_MEMORY || !story->are_pages_confirmed ||
	    has_served_memory(view) || reaches_host_memory(view))
		return NULL;
	const struct fault_row *first = first_report(view);
	return first && are_reports_near(view, first->gpu_ns) ? first : NULL;
}
