/*
 * memory_pointer.c - looks up each pointer by the index, or in one walk over the rows.
 */
#include "memory/memory_pointer.h"

static enum place place_inside(const struct range_row *range, enum range_then then)
{
	if (range->kind == RANGE_RESERVED)
		return then == RANGE_THEN_LIVE ? PLACE_RESERVED : PLACE_NONE;
	if (!range_has_address(range->kind))
		return PLACE_NONE;
	if (then == RANGE_THEN_FREED)
		return PLACE_FREED;
	return then == RANGE_THEN_IN_FLIGHT ? PLACE_IN_FLIGHT : PLACE_INSIDE;
}

static enum place place_of(const struct range_row *range, enum range_then then, uint64_t address,
			   uint64_t *out_distance)
{
	uint64_t distance = address - range->start;
	*out_distance = distance;
	if (then == RANGE_THEN_ABSENT)
		return PLACE_NONE;
	if (address >= range->start && distance < range->size)
		return place_inside(range, then);
	if (then == RANGE_THEN_FREED || !range_has_address(range->kind))
		return PLACE_NONE;
	*out_distance = range->start - address;
	if (address < range->start)
		return *out_distance < MEMORY_CLOSE ? PLACE_BEFORE : PLACE_NONE;
	*out_distance = distance - range->size;
	return *out_distance < MEMORY_CLOSE ? PLACE_PAST : PLACE_NONE;
}

/* Memory that was freed later was there before memory that took its place. */
static bool is_better(enum place place, const struct range_row *range, enum place best,
		      const struct range_row *best_range)
{
	bool was_freed = range->state == RANGE_FREED;
	bool was_best_freed = best_range->state == RANGE_FREED;
	if (place == PLACE_NONE || best == PLACE_NONE)
		return place != PLACE_NONE;
	if (place != best)
		return place < best;
	if (place == PLACE_FREED || (!was_freed && !was_best_freed))
		return range->number > best_range->number;
	return was_freed != was_best_freed ? was_freed : range->number < best_range->number;
}

struct search {
	const struct bundle_view *view;
	uint64_t address;
	const struct range_moment *at;
	enum place best;
	struct range_row *range;
	uint64_t *distance;
};

static void look_at(uint32_t id, void *argument)
{
	struct search *search = argument;
	struct range_row range;
	if (!view_range_copy(search->view, id, &range))
		return;
	uint64_t distance = 0;
	enum place place = place_of(&range, range_then(search->view, &range, search->at),
				    search->address, &distance);
	if (!is_better(place, &range, search->best, search->range))
		return;
	search->best = place;
	*search->range = range;
	*search->distance = distance;
}

static void look_at_all(struct search *search)
{
	uint64_t n_ranges = search->view->tables[JOURNAL_RANGES].n_rows;
	for (uint64_t id = 1; id <= n_ranges && id <= UINT32_MAX; id++)
		look_at((uint32_t)id, search);
}

enum place memory_find_place(const struct bundle_view *view, uint64_t address,
			     const struct range_moment *at, struct range_row *out_range,
			     uint64_t *out_distance)
{
	struct search search = {view, address, at, PLACE_NONE, out_range, out_distance};
	if (address == 0)
		return PLACE_NONE;
	if (view->memory_index)
		memory_index_visit(view->memory_index, address, look_at, &search);
	else
		look_at_all(&search);
	bool is_unclear = search.best == PLACE_INSIDE &&
			  range_then(view, out_range, at) == RANGE_THEN_UNCLEAR;
	return is_unclear && !range_is_in_order(view, out_range, at) ? PLACE_IN_FLIGHT
								     : search.best;
}
