/*
 * live_ranges.c - rows in the order of their addresses.
 */
#include "check/live_ranges.h"

#include <pthread.h>
#include <stddef.h>

#include "record/host/reserve.h"
#include "record/journal/bundle.h"
#include "record/objects/ranges.h"
#include "view/bundle_view.h"
#include "view/row_sort.h"

/* Registered or imported memory may lie inside other memory, hardly ever deeper than this. */
enum { MAX_NESTED = 4 };

struct entry {
	uint64_t start;
	uint32_t id;
	uint32_t group; /* 0: row_sort() wants one */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all below */
static uint64_t indexed;                                 /* generation of the table then */
static uint32_t n_entries;
static struct entry *entries, *unsorted;
static struct bundle_view *view;

static bool reserve(void)
{
	if (view)
		return entries && unsorted;
	entries = reserve_memory(RANGE_ROWS_MAX * sizeof(*entries));
	unsorted = reserve_memory(RANGE_ROWS_MAX * sizeof(*unsorted));
	view = reserve_memory(sizeof(*view));
	return view && entries && unsorted;
}

static uint32_t collect(void)
{
	uint64_t n_rows = view->tables[JOURNAL_RANGES].n_rows;
	struct range_row row;
	uint32_t n = 0;
	for (uint32_t id = 1; id <= n_rows && n < RANGE_ROWS_MAX; id++)
		if (view_range_copy(view, id, &row) && row.state == RANGE_LIVE &&
		    range_has_address(row.kind))
			unsorted[n++] = (struct entry){.start = row.start, .id = id};
	return n;
}

static void index_all(void)
{
	static const struct row_shape shape = {sizeof(struct entry), offsetof(struct entry, group),
					       offsetof(struct entry, start)};
	uint32_t starts[2];
	uint64_t now = ranges_generation();
	if (now == indexed)
		return;
	bundle_view_live(view);
	n_entries = collect();
	row_sort(&shape, unsorted, n_entries, entries, 1, starts);
	indexed = now;
}

/* Return the number of entries that start at or below the address. */
static uint32_t count_below(uint64_t address)
{
	uint32_t low = 0;
	uint32_t high = n_entries;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (entries[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The row may have been freed or reused since it was indexed. */
static bool contains(uint32_t id, uint64_t address, struct range_row *out)
{
	struct range_row row;
	if (!view_range_copy(view, id, &row) || row.state != RANGE_LIVE ||
	    !range_has_address(row.kind) || address < row.start || address - row.start >= row.size)
		return false;
	*out = row;
	return true;
}

bool live_ranges_find(uint64_t address, struct range_row *out)
{
	bool is_found = false;
	pthread_mutex_lock(&lock);
	if (reserve()) {
		index_all();
		uint32_t at = count_below(address);
		for (int i = 0; i < MAX_NESTED && at && !is_found; i++)
			is_found = contains(entries[--at].id, address, out);
	}
	pthread_mutex_unlock(&lock);
	return is_found;
}
