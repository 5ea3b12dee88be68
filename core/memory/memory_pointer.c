/*
 * memory_pointer.c - looks up each pointer by the index, or in one walk over the rows.
 */
#include "memory/memory_pointer.h"

static enum place place_inside(const struct range_row *range)
{
	bool is_live = range->state == RANGE_LIVE;
	if (range_has_address(range->kind))
		return is_live ? PLACE_INSIDE : PLACE_FREED;
	return is_live && range->kind == RANGE_RESERVED ? PLACE_RESERVED : PLACE_NONE;
}

static enum place place_of(const struct range_row *range, uint64_t address, uint64_t *out_distance)
{
	uint64_t distance = address - range->start;
	bool is_memory = range->state == RANGE_LIVE && range_has_address(range->kind);
	*out_distance = distance;
	if (address >= range->start && distance < range->size)
		return place_inside(range);
	if (!is_memory)
		return PLACE_NONE;
	*out_distance = range->start - address;
	if (address < range->start)
		return *out_distance < MEMORY_CLOSE ? PLACE_BEFORE : PLACE_NONE;
	*out_distance = distance - range->size;
	return *out_distance < MEMORY_CLOSE ? PLACE_PAST : PLACE_NONE;
}

static bool is_better(enum place place, const struct range_row *range, enum place best,
		      const struct range_row *best_range)
{
	if (place == PLACE_NONE || best == PLACE_NONE)
		return place != PLACE_NONE;
	return place != best ? place < best : range->number > best_range->number;
}

struct search {
	const struct bundle_view *view;
	uint64_t address;
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
	enum place place = place_of(&range, search->address, &distance);
	if (!is_better(place, &range, search->best, search->range))
		return;
	search->best = place;
	*search->range = range;
	*search->distance = distance;
}

enum place memory_find_place(const struct bundle_view *view, uint64_t address,
			     struct range_row *out_range, uint64_t *out_distance)
{
	struct search search = {view, address, PLACE_NONE, out_range, out_distance};
	uint64_t n_ranges = view->tables[JOURNAL_RANGES].n_rows;
	if (address == 0)
		return PLACE_NONE;
	if (view->memory_index) {
		memory_index_visit(view->memory_index, address, look_at, &search);
		return search.best;
	}
	for (uint64_t id = 1; id <= n_ranges && id <= UINT32_MAX; id++)
		look_at((uint32_t)id, &search);
	return search.best;
}
