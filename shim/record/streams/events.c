/*
 * events.c - map each event's handle to its point, packed into the map's value.
 */
#include "record/streams/events.h"

#include "record/host/handle_map.h"

/* Streams have at most 2^14 ids (bundle.c); ordinals get the other 48 bits. */
enum { STREAM_BITS = 16 };

static struct handle_map map;
static bool is_distrusted; /* atomic */

void events_recorded(CUevent event, struct event_point point)
{
	uint64_t packed = point.ordinal << STREAM_BITS | point.stream;
	if (!handle_map_put(&map, (uintptr_t)event, packed))
		events_forgotten(event);
}

void events_forgotten(CUevent event)
{
	uint64_t ignored = 0;
	(void)handle_map_take(&map, (uintptr_t)event, &ignored);
}

bool events_find(CUevent event, struct event_point *out_point)
{
	if (__atomic_load_n(&is_distrusted, __ATOMIC_ACQUIRE))
		return false;
	uint64_t packed = 0;
	if (!event || !handle_map_get(&map, (uintptr_t)event, &packed))
		return false;
	out_point->stream = packed & ((1u << STREAM_BITS) - 1);
	out_point->ordinal = packed >> STREAM_BITS;
	return true;
}

void events_distrust(void)
{
	__atomic_store_n(&is_distrusted, true, __ATOMIC_RELEASE);
}
