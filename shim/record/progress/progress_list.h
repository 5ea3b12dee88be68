/*
 * progress_list.h - all streams of a context. The driver has their objects in a list that starts
 * with one of its own, and in which each names its neighbours (progress_layout.h). The location of
 * those names is learned from two streams made one after the other. A list read that way is
 * complete if it ends at both ends, and neighbours name each other.
 */
#ifndef CULPRIT_RECORD_PROGRESS_LIST_H
#define CULPRIT_RECORD_PROGRESS_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "record/progress/progress_layout.h"

enum { PROGRESS_LIST_MAX = 128 };

/* True if it is the object of a stream, in a context whose trackers begin with this word. */
bool progress_list_is_stream(struct own_memory *memory, const struct progress_layout *layout,
			     uint64_t tracker_class, uint64_t object);

/*
 * Find the offsets of neighbours' names by the objects of two neighbouring streams. False: they do
 * not name each other, or in more than one place.
 */
bool progress_list_learn(struct own_memory *memory, uint64_t earlier, uint64_t later,
			 struct progress_layout *layout);

/* Return the object of the list's first stream, from any stream's; 0: it is not found. */
uint64_t progress_list_first(struct own_memory *memory, const struct progress_layout *layout,
			     uint64_t tracker_class, uint64_t object);

/*
 * Copy the objects of all streams; returns their number. 0: not all of them are found, because
 * another thread is making or destroying one, or there are more than PROGRESS_LIST_MAX.
 */
int progress_list_read(struct own_memory *memory, const struct progress_layout *layout,
		       uint64_t tracker_class, uint64_t first, uint64_t objects[PROGRESS_LIST_MAX]);

#endif
