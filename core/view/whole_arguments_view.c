/*
 * whole_arguments_view.c - finds the parameters of one launch in the table of whole parameters.
 */
#include <string.h>

#include "view/bundle_view.h"

/* Copy the row consistently; 0 if it is another launch's, or is being written. */
static size_t copy_row(const struct whole_arguments_row *row, const struct journal_record *record,
		       void *out, size_t capacity)
{
	/* Pairs with the release store of time_ns in whole_arguments.c. */
	uint64_t time_ns = __atomic_load_n(&row->time_ns, __ATOMIC_ACQUIRE);
	size_t size = __atomic_load_n(&row->size, __ATOMIC_RELAXED);
	if (time_ns == 0 || time_ns != record->time_ns ||
	    __atomic_load_n(&row->tid, __ATOMIC_RELAXED) != record->tid ||
	    size > sizeof(row->bytes))
		return 0;
	size = size < capacity ? size : capacity;
	memcpy(out, row->bytes, size);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(&row->time_ns, __ATOMIC_RELAXED) == time_ns ? size : 0;
}

size_t view_whole_arguments(const struct bundle_view *view, const struct journal_record *record,
			    void *out, size_t capacity)
{
	uint64_t n_rows = view->tables[JOURNAL_WHOLE_ARGUMENTS].n_rows;
	size_t n = 0;
	for (uint32_t id = 1; n == 0 && id <= n_rows && id <= N_WHOLE_ARGUMENTS; id++)
		n = copy_row(view_whole_arguments_row(view, id), record, out, capacity);
	return n;
}
