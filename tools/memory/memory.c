/*
 * memory.c - reads the rows of memory.
 */
#include "memory/memory.h"

#include <errno.h>
#include <stdlib.h>

static int compare_numbers(const void *one, const void *other)
{
	const struct range_row *a = one, *b = other;

	return (a->number > b->number) - (a->number < b->number);
}

int memory_read(const struct bundle_view *view, struct memory *out)
{
	uint64_t n_rows = view->tables[JOURNAL_RANGES].n_rows;
	struct range_row *rows = calloc(n_rows ? n_rows : 1, sizeof(*rows));

	if (!rows)
		return -ENOMEM;
	*out = (struct memory){.rows = rows};
	for (uint64_t id = 1; id <= n_rows && id <= UINT32_MAX; id++)
		out->n += view_range_copy(view, (uint32_t)id, &rows[out->n]) ? 1 : 0;
	qsort(rows, out->n, sizeof(*rows), compare_numbers);
	return 0;
}

void memory_free(struct memory *memory)
{
	free(memory->rows);
}
