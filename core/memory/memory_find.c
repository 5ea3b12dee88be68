/*
 * memory_find.c - finds the nearest live and the newest freed memory in one walk over the rows.
 */
#include "memory/memory_find.h"

/* The best row of each kind so far. */
struct search {
	uint64_t address;
	struct range_row inside, freed, after, before, reserved; /* number 0: none */
};

static bool is_inside(const struct range_row *row, uint64_t address)
{
	return address >= row->start && address - row->start < row->size;
}

static void keep_newer(struct range_row *best, const struct range_row *row)
{
	if (row->number > best->number)
		*best = *row;
}

static uint64_t bytes_after(const struct range_row *row, uint64_t address)
{
	return address - row->start - row->size;
}

static void look_beside(struct search *search, const struct range_row *row)
{
	uint64_t address = search->address;
	if (row->start > address) {
		if (!search->before.number || row->start < search->before.start)
			search->before = *row;
	} else if (!search->after.number ||
		   bytes_after(row, address) < bytes_after(&search->after, address)) {
		search->after = *row;
	}
}

/* Keep live memory. Memory that was freed later was there before memory that took its place. */
static void keep_inside(struct range_row *best, const struct range_row *row)
{
	if (row->state == RANGE_LIVE) {
		if (best->state != RANGE_FREED)
			keep_newer(best, row);
	} else if (best->state != RANGE_FREED || row->number < best->number) {
		*best = *row;
	}
}

static void look_at(struct search *search, const struct range_row *row, enum range_then then)
{
	bool is_live = then != RANGE_THEN_FREED;
	bool has_address = range_has_address(row->kind);
	if ((!has_address && row->kind != RANGE_RESERVED) || then == RANGE_THEN_ABSENT)
		return;
	if (!is_inside(row, search->address)) {
		if (is_live && has_address)
			look_beside(search, row);
		return;
	}
	if (!has_address) {
		if (is_live)
			keep_newer(&search->reserved, row);
		return;
	}
	if (is_live)
		keep_inside(&search->inside, row);
	else
		keep_newer(&search->freed, row);
}

static bool is_in_flight(const struct bundle_view *view, const struct range_row *row,
			 const struct range_moment *at)
{
	enum range_then then = range_then(view, row, at);
	return then == RANGE_THEN_IN_FLIGHT ||
	       (then == RANGE_THEN_UNCLEAR && !range_is_in_order(view, row, at));
}

static void answer(struct memory_answer *out, enum memory_relation relation,
		   const struct range_row *range, uint64_t distance)
{
	out->relation = relation;
	out->range = *range;
	out->distance = distance;
}

static void answer_beside(const struct search *search, struct memory_answer *out)
{
	uint64_t after = bytes_after(&search->after, search->address);
	uint64_t before = search->before.start - search->address;
	after = search->after.number ? after : UINT64_MAX;
	before = search->before.number ? before : UINT64_MAX;
	if (after <= before && after < MEMORY_NEAR)
		answer(out, MEMORY_AFTER, &search->after, after);
	else if (before < MEMORY_NEAR)
		answer(out, MEMORY_BEFORE, &search->before, before);
}

void memory_find(const struct bundle_view *view, uint64_t address, const struct range_moment *at,
		 struct memory_answer *out)
{
	uint64_t n_ranges = view->tables[JOURNAL_RANGES].n_rows;
	struct search search = {.address = address};
	struct range_row row;
	for (uint64_t id = 1; id <= n_ranges && id <= UINT32_MAX; id++) {
		if (view_range_copy(view, (uint32_t)id, &row) && row.number > 0)
			look_at(&search, &row, range_then(view, &row, at));
	}
	*out = (struct memory_answer){.was_freed = search.freed.number > 0,
				      .freed = search.freed,
				      .is_reserved = search.reserved.number > 0,
				      .reserved = search.reserved};
	if (search.inside.number)
		answer(out,
		       is_in_flight(view, &search.inside, at) ? MEMORY_IN_FLIGHT : MEMORY_INSIDE,
		       &search.inside, address - search.inside.start);
	else if (search.freed.number)
		answer(out, MEMORY_FREED, &search.freed, address - search.freed.start);
	else
		answer_beside(&search, out);
}

bool memory_lacks_read(const struct range_row *range)
{
	return range->kind == RANGE_MAPPED && !(range->flags & RANGE_CAN_READ);
}

bool memory_lacks_write(const struct range_row *range)
{
	return range->kind == RANGE_MAPPED && !(range->flags & RANGE_CAN_WRITE);
}
