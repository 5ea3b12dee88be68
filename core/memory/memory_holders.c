/*
 * memory_holders.c - sums in one walk over the rows, into a table of stacks with open addressing
 * that is at most half full.
 */
#include "memory/memory_holders.h"

#include "base/hash.h"
#include "memory/memory_owner.h"

static uint64_t n_slots(const struct bundle_view *view)
{
	uint64_t n = 16;
	while (n < 2 * view->tables[JOURNAL_RANGES].n_rows)
		n *= 2;
	return n;
}

/* After the table of stacks is a table of pages: the first and the last page of each row. */
size_t memory_holders_scratch(const struct bundle_view *view)
{
	return n_slots(view) * (sizeof(struct memory_holder) + 2 * sizeof(uint64_t));
}

/* Add the page. True if it is new. */
static bool add_page(uint64_t *pages, uint64_t n, uint64_t page)
{
	uint64_t at = hash_word(page) >> 32 & (n - 1);
	while (pages[at] != 0 && pages[at] != page + 1)
		at = (at + 1) & (n - 1);
	if (pages[at] != 0)
		return false;
	pages[at] = page + 1;
	return true;
}

/* Count the row's pages. Only its first and last page may be shared with other rows. */
static void add_pages(uint64_t *pages, uint64_t n, const struct range_row *row, uint64_t page,
		      struct memory_held *held)
{
	uint64_t first = row->start / page;
	uint64_t last = (row->start + row->size - 1) / page;
	uint64_t n_pages = last > first + 1 ? last - first - 1 : 0;
	if (row->size == 0 || last < first)
		return;
	n_pages += add_page(pages, n, first) ? 1 : 0;
	n_pages += last != first && add_page(pages, n, last) ? 1 : 0;
	held->page_bytes += n_pages * page;
	held->in_pages += row->size;
}

static void add(struct memory_holder *slots, uint64_t n, const struct range_row *row)
{
	uint64_t at = hash_word(row->stack) >> 32 & (n - 1);
	while (slots[at].n > 0 && slots[at].stack != row->stack)
		at = (at + 1) & (n - 1);
	slots[at].stack = row->stack;
	slots[at].bytes += row->size;
	slots[at].n++;
}

/* Insert the holder among the largest, whose last may drop out. */
static void rank(struct memory_held *held, const struct memory_holder *holder)
{
	uint32_t at = held->n_holders;
	if (at == MEMORY_MAX_HOLDERS && holder->bytes <= held->holders[at - 1].bytes)
		return;
	at = at == MEMORY_MAX_HOLDERS ? at - 1 : held->n_holders++;
	for (; at > 0 && held->holders[at - 1].bytes < holder->bytes; at--)
		held->holders[at] = held->holders[at - 1];
	held->holders[at] = *holder;
}

void memory_holders_find(const struct bundle_view *view, int device, uint64_t page, void *scratch,
			 struct memory_held *out)
{
	struct memory_holder *slots = scratch;
	uint64_t n = n_slots(view);
	uint64_t n_rows = view->tables[JOURNAL_RANGES].n_rows;
	uint64_t *pages = (uint64_t *)(void *)(slots + n);
	*out = (struct memory_held){0};
	struct range_row row;
	for (uint64_t id = 1; id <= n_rows && id <= UINT32_MAX; id++) {
		if (!view_range_copy(view, (uint32_t)id, &row) ||
		    memory_place_of(&row) != MEMORY_ON_DEVICE)
			continue;
		int other = memory_device(view, &row);
		if (other >= 0 && other != device)
			continue;
		out->bytes += row.size;
		out->n++;
		add(slots, n, &row);
		if (page > 0 && (row.kind == RANGE_DEVICE || row.kind == RANGE_PITCHED))
			add_pages(pages, 2 * n, &row, page, out);
		out->has_pools |= row.flags & RANGE_FROM_POOL;
	}
	for (uint64_t i = 0; i < n; i++) {
		if (slots[i].n == 0)
			continue;
		out->n_stacks++;
		rank(out, &slots[i]);
	}
}
