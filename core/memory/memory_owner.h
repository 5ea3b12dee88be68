/*
 * memory_owner.h - whose a range of memory is: where it is, whose memory it uses, and which
 * allocator requested it from the driver. Allocators with pools hand memory out in blocks that the
 * driver does not see.
 */
#ifndef CULPRIT_MEMORY_OWNER_H
#define CULPRIT_MEMORY_OWNER_H

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

enum memory_allocator {
	MEMORY_BY_PROGRAM, /* no known allocator */
	MEMORY_BY_PYTORCH,
	MEMORY_BY_CUPY,
	MEMORY_BY_RMM,
};

/* Return the innermost frame outside CUDA's modules; NULL if its module is unknown. Any thread. */
const struct stack_row *memory_asker_of(const struct bundle_view *view, uint32_t stack);

/* Return the allocator, by the module of that frame. Any thread. */
enum memory_allocator memory_allocator_of(const struct bundle_view *view, uint32_t stack);

/* Return "PyTorch's allocator"; NULL for the program itself. */
const char *memory_allocator_label(enum memory_allocator allocator);

#endif
