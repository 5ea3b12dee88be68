/*
 * check_rows.c - group rows by launch.
 */
#include "checks/check_rows.h"

uint32_t check_rows_count(const struct bundle_view *view, uint32_t first)
{
	const struct check_row *row = view_check(view, first);
	uint32_t n = row->n_rows;
	if (row->index || n == 0 || n > CHECK_MAX_RANGES)
		return 1;
	for (uint32_t i = 1; i < n; i++) {
		const struct check_row *next = view_check(view, first + i);
		if (!next || next->sequence != row->sequence || next->index != i)
			return 1;
	}
	return n;
}

bool check_rows_is_written(const struct check_row *row)
{
	return (row->flags & CHECK_ROW_HAS_AFTER) && row->before.checksum != row->after.checksum;
}
