/*
 * memory_place.c - locates a memory range by its kind, context and physical memory.
 */
#include "memory/memory_place.h"

enum memory_place memory_place_of(const struct range_row *row)
{
	if (row->state != RANGE_LIVE)
		return MEMORY_NO_ROOM;
	switch (row->kind) {
	case RANGE_HOST:
	case RANGE_REGISTERED:
		return MEMORY_ON_HOST;
	case RANGE_IPC:
	case RANGE_IMPORTED:
		return MEMORY_OF_OTHERS;
	case RANGE_RESERVED:
		return MEMORY_NO_ROOM;
	case RANGE_PHYSICAL:
		return row->flags & RANGE_HAS_MAPPING ? MEMORY_NO_ROOM : MEMORY_ON_DEVICE;
	default:
		return MEMORY_ON_DEVICE;
	}
}

int memory_device(const struct bundle_view *view, const struct range_row *row)
{
	const struct context_row *context = view_context(view, row->context);
	if (row->kind == RANGE_HOST || row->kind == RANGE_REGISTERED)
		return -1;
	if (row->flags & RANGE_DEVICE_KNOWN)
		return row->device;
	if (context)
		return context->device <= INT16_MAX ? (int)context->device : -1;
	const struct range_row *parent = row->parent ? view_range(view, row->parent) : NULL;
	return parent && parent->flags & RANGE_DEVICE_KNOWN ? parent->device : -1;
}
