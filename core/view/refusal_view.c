/*
 * refusal_view.c - checked access to the rows of calls that the driver rejected.
 */
#include <string.h>

#include "view/bundle_view.h"

const struct refusal_row *view_refusal(const struct bundle_view *view, uint32_t id)
{
	const struct view_rows *rows = &view->tables[JOURNAL_REFUSALS];
	if (id == 0 || id > rows->n_rows)
		return NULL;
	return (const struct refusal_row *)(rows->first + (uint64_t)(id - 1) * rows->row_size);
}

bool view_refusal_is_memory(const struct bundle_view *view, const struct refusal_row *row)
{
	return strcmp(view_string(view, row->what, NULL), REFUSED_MEMORY) == 0;
}
