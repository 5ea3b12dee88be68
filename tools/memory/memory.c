/*
 * memory.c - read a bundle's allocations as they are now, or as they were earlier.
 */
#include "memory/memory.h"

#include <errno.h>
#include <stdlib.h>

static int compare_numbers(const void *one, const void *other)
{
	const struct range_row *a = one;
	const struct range_row *b = other;
	return (a->number > b->number) - (a->number < b->number);
}

/* Put the row back into its state at `ns`. Return false if it was not live then. */
static bool rewind_row(struct range_row *row, uint64_t ns)
{
	if (row->time_ns > ns || (row->state == RANGE_FREED && row->freed_ns <= ns))
		return false;
	row->state = RANGE_LIVE;
	if (row->kind == RANGE_PHYSICAL)
		row->flags &= (uint16_t)~RANGE_HAS_MAPPING;
	return true;
}

/*
 * Flag the physical memory that some row in `memory` maps: it is counted by its mapping. `indexes`
 * has, by row ID, the index in `memory` plus 1.
 */
static void flag_mapped(const struct memory *memory, const size_t *indexes, uint64_t n_rows)
{
	for (size_t i = 0; i < memory->n; i++) {
		uint32_t parent = memory->rows[i].parent;
		size_t index = parent > 0 && parent <= n_rows ? indexes[parent - 1] : 0;
		if (index > 0 && memory->rows[index - 1].kind == RANGE_PHYSICAL)
			memory->rows[index - 1].flags |= RANGE_HAS_MAPPING;
	}
}

static void sort(const struct memory *memory)
{
	qsort(memory->rows, memory->n, sizeof(*memory->rows), compare_numbers);
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
	sort(out);
	return 0;
}

int memory_read_at(const struct bundle_view *view, uint64_t ns, struct memory *out)
{
	uint64_t n_rows = view->tables[JOURNAL_RANGES].n_rows;
	struct range_row *rows = calloc(n_rows ? n_rows : 1, sizeof(*rows));
	size_t *indexes = calloc(n_rows ? n_rows : 1, sizeof(*indexes));
	if (!rows || !indexes) {
		free(rows);
		free(indexes);
		return -ENOMEM;
	}
	*out = (struct memory){.rows = rows};
	for (uint64_t id = 1; id <= n_rows && id <= UINT32_MAX; id++) {
		if (view_range_copy(view, (uint32_t)id, &rows[out->n]) &&
		    rewind_row(&rows[out->n], ns))
			indexes[id - 1] = ++out->n;
	}
	flag_mapped(out, indexes, n_rows);
	free(indexes);
	sort(out);
	return 0;
}

uint64_t memory_newest_ns(const struct memory *memory)
{
	uint64_t newest = 0;
	for (size_t i = 0; i < memory->n; i++) {
		const struct range_row *row = &memory->rows[i];
		newest = row->time_ns > newest ? row->time_ns : newest;
		newest = row->freed_ns > newest ? row->freed_ns : newest;
	}
	return newest;
}

/* The rows of the earliest frees are reused, which leaves gaps in the numbers. */
uint64_t memory_known_since(const struct memory *memory)
{
	uint64_t oldest = UINT64_MAX;
	if (memory->n == 0 || memory->rows[memory->n - 1].number <= memory->n)
		return 0;
	for (size_t i = 0; i < memory->n; i++) {
		const struct range_row *row = &memory->rows[i];
		if (row->state == RANGE_FREED && row->freed_ns < oldest)
			oldest = row->freed_ns;
	}
	return oldest;
}

void memory_free(struct memory *memory)
{
	free(memory->rows);
}
