/*
 * memory_holders.h - who holds a device's memory: sums by the stack that allocated it. For code
 * that runs inside a process at its end, on memory that the caller gives.
 */
#ifndef CULPRIT_VERDICT_MEMORY_HOLDERS_H
#define CULPRIT_VERDICT_MEMORY_HOLDERS_H

#include "verdict/view/bundle_view.h"

enum { MEMORY_MAX_HOLDERS = 5 };

struct memory_holder {
	uint32_t stack;
	uint64_t bytes;
	uint64_t n; /* pieces */
};

struct memory_held {
	uint64_t bytes;
	uint64_t n;
	uint32_t n_holders;                               /* that are told here */
	uint64_t n_stacks;                                /* that hold some */
	struct memory_holder holders[MEMORY_MAX_HOLDERS]; /* the largest first */
	/* Of what the driver lays out in pages of its own: bytes of the pages, and of what is in
	 * them. */
	uint64_t page_bytes;
	uint64_t in_pages;
	bool has_pools; /* some is of pools that the program made */
};

/* How many zeroed bytes memory_holders_find() needs. */
size_t memory_holders_scratch(const struct bundle_view *view);

/*
 * Of the memory on the device of that ordinal, and on none that is known. `page`: the driver's, a
 * power of two; 0: not known. Any thread.
 */
void memory_holders_find(const struct bundle_view *view, int device, uint64_t page, void *scratch,
			 struct memory_held *out);

#endif
