/*
 * memory_place.h - the location of a memory range, and whose memory it uses.
 */
#ifndef CULPRIT_VERDICT_MEMORY_PLACE_H
#define CULPRIT_VERDICT_MEMORY_PLACE_H

#include "view/bundle_view.h"

enum memory_place {
	MEMORY_ON_DEVICE,
	MEMORY_ON_HOST,
	MEMORY_OF_OTHERS, /* belongs to another process or API, mapped here */
	MEMORY_NO_ROOM,   /* freed, or uses no memory: addresses, handles of mapped memory */
	N_MEMORY_PLACES
};

/* Return the location of the range's memory. Any thread. */
enum memory_place memory_place_of(const struct range_row *row);

/* Return the ordinal of the range's device; -1: no device, or not known. Any thread. */
int memory_device(const struct bundle_view *view, const struct range_row *row);

#endif
