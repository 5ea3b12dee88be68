/*
 * fault_view.c - checked access to what the driver said of the fault.
 */
#include "view/bundle_view.h"

const struct fault_row *view_fault(const struct bundle_view *view, uint32_t id)
{
	const struct view_rows *rows = &view->tables[JOURNAL_FAULTS];

	if (id == 0 || id > rows->n_rows)
		return NULL;
	return (const struct fault_row *)(const void *)(rows->first +
							(uint64_t)(id - 1) * rows->row_size);
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
