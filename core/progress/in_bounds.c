/*
 * in_bounds.c - compare what work touches with the memory that was allocated.
 */
#include "progress/in_bounds.h"

#include <string.h>

#include "base/journal_ranges.h"
#include "progress/unordered.h"

enum {
	CODE_ILLEGAL_ADDRESS = 700,
	CODE_LAUNCH_FAILED =
		719, /* other work than kernels raises it, if ever, for its addresses */
	N_SIDES = 2, /* destination and source */
};

/* The memory that one submission touches. */
struct touched {
	bool *out_is_in_bounds;
	uint32_t context, primary; /* of its stream; 0 none */
	uint64_t time_ns;
	uint64_t bytes;
	uint64_t starts[N_SIDES];
	bool is_inside[N_SIDES];
	bool is_noted[N_SIDES]; /* overlaps memory that the driver knew */
	bool is_host[N_SIDES];  /* the call takes it for host memory that its device cannot use */
	int n_sides;
};

struct touched_list {
	struct touched of[IN_BOUNDS_MAX];
	int n;
	uint64_t n_made;         /* allocations ever made */
	uint64_t oldest_free_ns; /* of freed memory that is still in the table */
};

static bool is_looked_at(uint8_t work)
{
	return work == WORK_COPY || work == WORK_MEMSET || work == WORK_MEMOP;
}

/*
 * Find the host side by the call's name. A call for device memory passes any address to the GPU,
 * even a host address, and fails there.
 */
static void find_host_side(const struct bundle_view *view, const struct context_row *context,
			   uint32_t call, struct touched *touched)
{
	const char *name = view_string(view, call, NULL);
	bool lacks_host = context && context->flags & CONTEXT_LACKS_HOST_MEMORY;
	touched->is_host[0] = lacks_host && strstr(name, "DtoH");
	touched->is_host[1] = lacks_host && strstr(name, "HtoD");
}

/* Add the submission of this number, at this position in the journal. */
static void add(struct touched_list *list, const struct bundle_view *view, uint32_t slot,
		uint64_t position, uint64_t sequence, bool *out_is_in_bounds)
{
	struct journal_record record;
	if (list->n == IN_BOUNDS_MAX || !view_record(view, slot, position, &record) ||
	    record.sequence != sequence || record.kind != RECORD_SUBMISSION ||
	    !is_looked_at(record.work) || record.memory.bytes == 0)
		return;
	const struct stream_row *stream = view_stream(view, record.stream);
	if (!stream)
		return;
	const struct context_row *context = view_context(view, stream->context);
	list->of[list->n] =
		(struct touched){.out_is_in_bounds = out_is_in_bounds,
				 .context = stream->context,
				 .primary = context ? context->primary : 0,
				 .time_ns = record.time_ns,
				 .bytes = record.memory.bytes,
				 .starts = {record.memory.destination, record.memory.source},
				 .n_sides = record.work == WORK_COPY ? N_SIDES : 1};
	find_host_side(view, context, record.call, &list->of[list->n++]);
}

static void collect(struct progress *progress, struct touched_list *list)
{
	for (uint32_t i = 0; i < progress->n_open; i++) {
		struct open_work *open = &progress->open[i];
		if (progress_is_suspect(progress, open))
			add(list, progress->view, open->slot, open->position, open->sequence,
			    &open->is_in_bounds);
	}
	for (uint32_t i = 0; i < progress->n_unordered; i++) {
		struct open_work *open = &progress->unordered[i].open;
		if (unordered_is_suspect(progress, &progress->unordered[i], LEVEL_STRICT))
			add(list, progress->view, open->slot, open->position, open->sequence,
			    &open->is_in_bounds);
	}
}

/* True if it was allocated before the call and not freed before the moment. */
static bool has_stayed(const struct range_row *row, uint64_t call_ns, uint64_t moment_ns)
{
	return (row->kind == RANGE_DEVICE || row->kind == RANGE_HOST) && row->number > 0 &&
	       row->time_ns <= call_ns && (row->state == RANGE_LIVE || row->freed_ns > moment_ns);
}

static bool holds(const struct range_row *row, uint64_t start, uint64_t bytes)
{
	return start >= row->start && bytes <= row->size && start - row->start <= row->size - bytes;
}

/* True if they share a byte. */
static bool meets(const struct range_row *row, uint64_t start, uint64_t bytes)
{
	return start >= row->start ? start - row->start < row->size : row->start - start < bytes;
}

static void hold_one_against(const struct range_row *row, uint64_t moment_ns,
			     struct touched *touched)
{
	bool is_own = row->context &&
		      (row->context == touched->context || row->context == touched->primary);
	bool is_safe = is_own && has_stayed(row, touched->time_ns, moment_ns);
	bool was_there = range_has_address(row->kind) &&
			 (row->state == RANGE_LIVE || row->freed_ns >= touched->time_ns);
	for (int side = 0; side < touched->n_sides; side++) {
		uint64_t start = touched->starts[side];
		touched->is_inside[side] |= is_safe && holds(row, start, touched->bytes);
		touched->is_noted[side] |= was_there && meets(row, start, touched->bytes);
	}
}

static void hold_against(const struct range_row *row, uint64_t moment_ns, struct touched_list *list)
{
	if (row->number > list->n_made)
		list->n_made = row->number;
	if (row->state == RANGE_FREED && row->freed_ns < list->oldest_free_ns)
		list->oldest_free_ns = row->freed_ns;
	for (int i = 0; i < list->n; i++)
		hold_one_against(row, moment_ns, &list->of[i]);
}

/* True if the table has all memory of the time of the call. It drops the oldest freed row first. */
static bool knows_all(const struct bundle_view *view, const struct touched_list *list,
		      const struct touched *touched)
{
	const struct view_rows *table = &view->tables[JOURNAL_RANGES];
	return table->lost == 0 &&
	       (list->n_made <= table->n_rows || list->oldest_free_ns < touched->time_ns);
}

static bool is_mapped(const struct bundle_view *view, uint64_t start, uint64_t bytes)
{
	const struct host_mapping_row *row = NULL;
	for (uint32_t id = 1; (row = view_host_mapping(view, id)); id++) {
		if (start >= row->start && start < row->end)
			return bytes <= row->end - start;
	}
	return false;
}

/* True if the GPU touched nothing on this side, or only allocated memory. */
static bool is_safe(const struct bundle_view *view, const struct touched_list *list,
		    const struct touched *touched, int side)
{
	return touched->is_inside[side] || (touched->is_host[side] && !touched->is_noted[side] &&
					    knows_all(view, list, touched) &&
					    is_mapped(view, touched->starts[side], touched->bytes));
}

void in_bounds_mark(struct progress *progress)
{
	uint64_t n_ranges = progress->view->tables[JOURNAL_RANGES].n_rows;
	int32_t code = progress->moment.code;
	if (code != CODE_ILLEGAL_ADDRESS && code != CODE_LAUNCH_FAILED)
		return;
	struct touched_list list = {.oldest_free_ns = UINT64_MAX};
	collect(progress, &list);
	struct range_row row;
	for (uint64_t id = 1; list.n > 0 && id <= n_ranges && id <= UINT32_MAX; id++) {
		if (view_range_copy(progress->view, (uint32_t)id, &row))
			hold_against(&row, progress->moment.time_ns, &list);
	}
	for (int i = 0; i < list.n; i++) {
		const struct touched *touched = &list.of[i];
		*touched->out_is_in_bounds =
			is_safe(progress->view, &list, touched, 0) &&
			(touched->n_sides == 1 || is_safe(progress->view, &list, touched, 1));
	}
}
