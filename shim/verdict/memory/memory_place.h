/*
 * memory_place.h - where a piece of memory lies, and whose room it takes.
 */
#ifndef CULPRIT_VERDICT_MEMORY_PLACE_H
#define CULPRIT_VERDICT_MEMORY_PLACE_H

#include "verdict/view/bundle_view.h"

enum memory_place {
	MEMORY_ON_DEVICE,
	MEMORY_ON_HOST,
	MEMORY_OF_OTHERS, /* of another process or API, mapped here */
	MEMORY_NO_ROOM,   /* it is gone, or takes none: addresses, handles of what is mapped */
	N_MEMORY_PLACES
};

/* Any thread. */
enum memory_place memory_place_of(const struct range_row *row);

/* The ordinal of the device that it lies on, -1: on none, or not known. Any thread. */
int memory_device(const struct bundle_view *view, const struct range_row *row);

#endif
