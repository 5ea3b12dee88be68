/*
 * memory.h - the allocations recorded in a bundle, as an array.
 */
#ifndef CULPRIT_TOOLS_MEMORY_H
#define CULPRIT_TOOLS_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/analysis.h"

struct memory {
	struct range_row *rows; /* in the order in which they were allocated */
	size_t n;
};

/* Read all allocations. Return 0 or -ENOMEM; the caller releases *out with memory_free(). */
int memory_read(const struct bundle_view *view, struct memory *out);

/* Read the allocations that were live at `ns` (CLOCK_MONOTONIC), in their state at that time. */
int memory_read_at(const struct bundle_view *view, uint64_t ns, struct memory *out);

/* Return when memory was last allocated or freed (CLOCK_MONOTONIC); 0 if it never was. */
uint64_t memory_newest_ns(const struct memory *memory);

/* Return the time since which every free is on record (CLOCK_MONOTONIC); 0 if all of them are. */
uint64_t memory_known_since(const struct memory *memory);

void memory_free(struct memory *memory);

#endif
