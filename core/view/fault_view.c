/*
 * fault_view.c - checked access to what the driver said of the fault, where kernels' code is, the
 * calls that the driver rejected, and checked memory.
 */
#include <string.h>

#include "view/bundle_view.h"

static const void *row_of(const struct bundle_view *view, enum journal_file file, uint32_t id)
{
	const struct view_rows *rows = &view->tables[file];
	return id > 0 && id <= rows->n_rows ? rows->first + (uint64_t)(id - 1) * rows->row_size
					    : NULL;
}

const struct fault_row *view_fault(const struct bundle_view *view, uint32_t id)
{
	return row_of(view, JOURNAL_FAULTS, id);
}

const struct code_address_row *view_code_address(const struct bundle_view *view, uint32_t id)
{
	return row_of(view, JOURNAL_CODE_ADDRESSES, id);
}

const struct check_row *view_check(const struct bundle_view *view, uint32_t id)
{
	return row_of(view, JOURNAL_CHECKS, id);
}

const struct graph_check_row *view_graph_check(const struct bundle_view *view, uint32_t id)
{
	return row_of(view, JOURNAL_GRAPH_CHECKS, id);
}

const struct fault_row *view_fault_summary(const struct bundle_view *view, enum fault_kind kind)
{
	uint64_t n_rows = view->tables[JOURNAL_FAULTS].n_rows;

	for (uint32_t id = 1; id <= n_rows && id <= FAULT_ROWS_MAX; id++) {
		const struct fault_row *row = view_fault(view, id);

		if (row->kind == kind)
			return row;
	}
	return NULL;
}

const struct refusal_row *view_refusal(const struct bundle_view *view, uint32_t id)
{
	return row_of(view, JOURNAL_REFUSALS, id);
}

bool view_refusal_is_memory(const struct bundle_view *view, const struct refusal_row *row)
{
	return strcmp(view_string(view, row->what, NULL), REFUSED_MEMORY) == 0;
}
