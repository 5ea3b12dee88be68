/*
 * coredump_order.c - which submission a grid's number points to. A context numbers the kernels that
 * it runs in the order of their launches, and includes its own kernels for copies on the device and
 * longer memsets. This held in 102 of 102 programs of one thread on an H200 (driver 580.159), of up
 * to 169 launches. Elsewhere the driver adds a few numbers (one in a PyTorch process), and kernels
 * of graphs get theirs when the graph is instantiated. So the number only orders equal launches; it
 * proves nothing.
 */
#include "attribution/coredump_parts.h"

#include <string.h>

#include "view/record_walk.h"

/* A memset of up to 64 bytes needs no kernel. The size of a two-dimensional one is not known. */
enum { LONGEST_WITHOUT_KERNEL = 64 };

static bool is_kernel(const struct bundle_view *view, const struct journal_record *record)
{
	switch (record->work) {
	case WORK_KERNEL:
		return true;
	case WORK_MEMSET:
		return record->memory.bytes == 0 || record->memory.bytes > LONGEST_WITHOUT_KERNEL;
	case WORK_COPY:
		return strstr(view_string(view, record->call, NULL), "DtoD") != NULL;
	default:
		return false;
	}
}

/* True if it took a number of that context, as far as the journal shows. */
static bool is_numbered(const struct progress *progress, const struct journal_record *record,
			uint64_t context)
{
	const struct stream_row *stream = view_stream(progress->view, record->stream);
	const struct context_row *row =
		stream ? view_context(progress->view, stream->context) : NULL;
	return record->kind == RECORD_SUBMISSION && row &&
	       coredump_is_context(progress->view, &progress->moment, row, context) &&
	       !progress_has_error(record) && is_kernel(progress->view, record);
}

/* Count the numbers taken up to submission `last`; *out_all counts submissions of any kind. */
static uint64_t count_numbered(const struct progress *progress, uint64_t context, uint64_t last,
			       uint64_t *out_all, bool *out_graph)
{
	uint64_t n = 0;
	*out_all = 0;
	struct record_walk walk = {.view = progress->view};
	while (record_walk_next(&walk)) {
		const struct journal_record *record = &walk.record;
		if (record->kind != RECORD_SUBMISSION || record->sequence > last)
			continue;
		++*out_all;
		*out_graph |= record->work == WORK_GRAPH;
		n += is_numbered(progress, record, context) ? 1 : 0;
	}
	return n;
}

uint64_t coredump_expected(const struct progress *progress, const struct gpu_fault *fault)
{
	uint64_t last = progress->moment.sequence;
	const struct gpu_grid *grid = &fault->grids[0].grid;
	bool has_graph = false;
	uint64_t first = 1;
	if (fault->n_grids != 1 || !gpu_is_host_grid(grid))
		return 0;
	/* Lost records and graphs take an unknown count of numbers. */
	uint64_t all = 0;
	(void)count_numbered(progress, grid->context, last, &all, &has_graph);
	if (all != last || has_graph)
		return 0;
	while (first < last) {
		uint64_t middle = first + (last - first) / 2;
		if (count_numbered(progress, grid->context, middle, &all, &has_graph) < grid->id)
			first = middle + 1;
		else
			last = middle;
	}
	return last;
}
