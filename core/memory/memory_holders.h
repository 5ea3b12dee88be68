/*
 * memory_holders.h - sums a device's memory by the stack that allocated it. It can run inside a
 * process at its exit, because it works on the caller's memory.
 */
#ifndef CULPRIT_MEMORY_MEMORY_HOLDERS_H
#define CULPRIT_MEMORY_MEMORY_HOLDERS_H

#include "view/bundle_view.h"

enum { MEMORY_MAX_HOLDERS = 5 };

struct memory_holder {
	uint32_t stack;
	uint64_t bytes;
	uint64_t n; /* allocations */
};

struct memory_held {
	uint64_t bytes;
	uint64_t n;
	uint32_t n_holders;                               /* stacks in `holders` */
	uint64_t n_stacks;                                /* stacks that hold memory */
	struct memory_holder holders[MEMORY_MAX_HOLDERS]; /* the largest first */
	/* Memory that the driver places in its own pages: bytes of the pages, and in the pages. */
	uint64_t page_bytes;
	uint64_t in_pages;
	bool has_pools; /* some memory is from pools that the program created */
};

/* Return how many zeroed bytes memory_holders_find() needs. */
size_t memory_holders_scratch(const struct bundle_view *view);

/*
 * Sum the memory on the device with that ordinal, and the memory whose device is not known. `page`
 * is the driver's page size, a power of two; 0: not known. Any thread.
 */
void memory_holders_find(const struct bundle_view *view, int device, uint64_t page, void *scratch,
			 struct memory_held *out);

#endif
