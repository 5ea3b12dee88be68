/*
 * launch_diff.c - equal checksums are taken for equal memory.
 */
#include "diff/launch_diff.h"

#include <stdbool.h>
#include <string.h>

#include "checks/check_rows.h"

static const struct check_row *row_of(const struct launch_run *run, uint32_t index)
{
	return view_check(run->view, run->launch->first + index);
}

static const char *name_of(const struct launch_run *run)
{
	const struct function_row *function = view_function(run->view, row_of(run, 0)->function);
	size_t length = 0;
	return function ? view_string(run->view, function->name, &length) : "";
}

static bool have_same_shape(const struct launch_run *one, const struct launch_run *other)
{
	if (one->launch->n != other->launch->n || strcmp(name_of(one), name_of(other)) != 0)
		return false;
	for (uint32_t i = 0; i < one->launch->n; i++) {
		const struct check_row *row = row_of(one, i);
		const struct check_row *like = row_of(other, i);
		if (row->parameter != like->parameter || row->offset != like->offset ||
		    row->bytes != like->bytes)
			return false;
	}
	return true;
}

static bool differs_before(const struct check_row *row, const struct check_row *like)
{
	return row->before.checksum != like->before.checksum;
}

static bool differs_after(const struct check_row *row, const struct check_row *like)
{
	return (row->flags & like->flags & CHECK_ROW_HAS_AFTER) &&
	       row->after.checksum != like->after.checksum;
}

enum launch_difference launch_diff(const struct launch_run *one, const struct launch_run *other,
				   uint32_t *out_index)
{
	enum launch_difference found = LAUNCH_EQUAL;
	bool is_other_before = false;
	*out_index = 0;
	if (!have_same_shape(one, other))
		return LAUNCH_OTHER_KERNEL;
	for (uint32_t i = 0; i < one->launch->n; i++) {
		const struct check_row *row = row_of(one, i);
		const struct check_row *like = row_of(other, i);
		bool is_input = !check_rows_is_written(row) && !check_rows_is_written(like);
		if (is_input && differs_before(row, like)) {
			*out_index = i;
			return LAUNCH_INPUT_DIFFERS;
		}
		is_other_before = is_other_before || differs_before(row, like);
		if (differs_after(row, like) && found == LAUNCH_EQUAL) {
			*out_index = i;
			found = LAUNCH_RESULT_DIFFERS;
		}
	}
	return found == LAUNCH_RESULT_DIFFERS && is_other_before ? LAUNCH_WRITTEN_DIFFERS : found;
}
