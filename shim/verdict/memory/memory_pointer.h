/*
 * memory_pointer.h - where a pointer among a launch's arguments points.
 */
#ifndef CULPRIT_VERDICT_MEMORY_POINTER_H
#define CULPRIT_VERDICT_MEMORY_POINTER_H

#include "verdict/memory/memory_index.h"
#include "verdict/view/bundle_view.h"

/* Where a pointer points; what comes first says more. */
enum place {
	PLACE_NONE,     /* not a pointer, or to nothing known */
	PLACE_INSIDE,   /* `distance` bytes into a live range */
	PLACE_FREED,    /* the same, but the range was freed */
	PLACE_RESERVED, /* the same of reserved addresses, where nothing is mapped */
	PLACE_PAST,     /* `distance` bytes past the end of a live range, close behind */
	PLACE_BEFORE,   /* `distance` bytes before a live range, close to it */
};

/*
 * Looks an address up among the ranges, by the view's index if it has one; of equal places the
 * newer range counts. Any thread. In *out_range and *out_distance unless it is PLACE_NONE.
 */
enum place memory_find_place(const struct bundle_view *view, uint64_t address,
			     struct range_row *out_range, uint64_t *out_distance);

#endif
