/*
 * progress_list.h - all streams of a context: the driver has their objects in a list, from one of
 * its own on, in which each names its neighbours (progress_layout.h). Where the neighbours are
 * named is learned from two streams that were made one after the other; what is found that way is
 * all of them if the list ends at both ends, and each has its neighbour for neighbour.
 */
#ifndef CULPRIT_RECORD_PROGRESS_LIST_H
#define CULPRIT_RECORD_PROGRESS_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "record/progress/progress_layout.h"

enum { PROGRESS_LIST_MAX = 128 };

/* Is it a stream's object of a context whose trackers begin with this word? */
bool progress_list_is_stream(struct own_memory *memory, const struct progress_layout *layout,
			     uint64_t tracker_class, uint64_t object);

/*
 * Fills in where neighbours are named, by the objects of two streams that are neighbours. False:
 * they do not name each other, or not in one place each.
 */
bool progress_list_learn(struct own_memory *memory, uint64_t earlier, uint64_t later,
			 struct progress_layout *layout);

/* The object of the list's first stream, from any of them on; 0: it is not found. */
uint64_t progress_list_first(struct own_memory *memory, const struct progress_layout *layout,
			     uint64_t tracker_class, uint64_t object);

/*
 * Copies the objects of all streams; how many there are. 0: not all of them are found, as when
 * another thread makes or ends one just now, or there are more than PROGRESS_LIST_MAX.
 */
int progress_list_read(struct own_memory *memory, const struct progress_layout *layout,
		       uint64_t tracker_class, uint64_t first, uint64_t objects[PROGRESS_LIST_MAX]);

#endif
