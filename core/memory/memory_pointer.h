/*
 * memory_pointer.h - finds the target of a pointer among a launch's arguments.
 */
#ifndef CULPRIT_MEMORY_MEMORY_POINTER_H
#define CULPRIT_MEMORY_MEMORY_POINTER_H

#include "memory/memory_index.h"
#include "progress/range_order.h"
#include "view/bundle_view.h"

/* Target of a pointer; earlier values are more specific. */
enum place {
	PLACE_NONE,      /* not a pointer, or to nothing known */
	PLACE_INSIDE,    /* `distance` bytes into a live range */
	PLACE_IN_FLIGHT, /* the same, but it was freed while the launch may have been unfinished */
	PLACE_FREED,     /* `distance` bytes into a freed range */
	PLACE_RESERVED,  /* `distance` bytes into reserved addresses without a mapping */
	PLACE_PAST,      /* `distance` bytes past the end of a live range, below MEMORY_CLOSE */
	PLACE_BEFORE,    /* `distance` bytes before a live range, below MEMORY_CLOSE */
};

/* True if the pointer is inside a range, whatever became of it. Any thread. */
static inline bool place_is_inside(enum place place)
{
	return place == PLACE_INSIDE || place == PLACE_IN_FLIGHT || place == PLACE_FREED;
}

/*
 * Look up an address among the ranges, by the view's index if it has one. Among ranges with the
 * same result, the newest counts. Ranges are as they were `at` a launch; NULL: at the end. Sets
 * *out_range and *out_distance unless the result is PLACE_NONE. Any thread.
 */
enum place memory_find_place(const struct bundle_view *view, uint64_t address,
			     const struct range_moment *at, struct range_row *out_range,
			     uint64_t *out_distance);

#endif
