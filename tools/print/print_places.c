/*
 * print_places.c - look pointers up and cache the results: most launches get the same ones again.
 */
#include "print/print_parts.h"

static bool is_in(const struct range_row *range, uint64_t value, const struct print_moment *at)
{
	return range_has_address(range->kind) &&
	       (range->state == RANGE_LIVE || range->freed_after >= at->sequence) &&
	       value >= range->start && value - range->start < range->size;
}

/*
 * Return the ID of the allocation that has the value; 0 if not found. Prefer one that was freed
 * after the launch to a live one, which may be younger than the launch.
 */
static uint32_t search(const struct print_moment *at, uint64_t value, struct range_row *out)
{
	const struct bundle_view *view = &at->process->view;
	uint64_t n_ranges = view->tables[JOURNAL_RANGES].n_rows;
	uint32_t found = 0;
	for (uint32_t id = 1; id <= n_ranges; id++) {
		struct range_row range;
		if (!view_range_copy(view, id, &range) || !is_in(&range, value, at) ||
		    (found && (range.state == RANGE_LIVE || range.number < out->number)))
			continue;
		*out = range;
		found = id;
	}
	return found;
}

bool print_location_find(const struct print_moment *at, uint64_t value, struct range_row *out)
{
	struct printed_process *process = at->process;
	struct remembered_location *location =
		&process->remembered[(value >> 4 ^ value >> 16) % N_REMEMBERED_LOCATIONS];
	if (location->value == value && location->range &&
	    view_range_copy(&process->view, location->range, out) &&
	    out->number == location->number && is_in(out, value, at))
		return true;
	if (location->value == value && !location->range && location->batch == at->batch)
		return false;
	*location = (struct remembered_location){
		.value = value, .range = search(at, value, out), .batch = at->batch};
	if (location->range)
		location->number = out->number;
	return location->range != 0;
}
