/*
 * memory.h - the memory that a bundle knows of, as an array.
 */
#ifndef CULPRIT_TOOLS_MEMORY_H
#define CULPRIT_TOOLS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bundle/analysis.h"
#include "verdict/memory/memory_place.h"
#include "verdict/memory/memory_words.h"

struct memory {
	struct range_row *rows; /* in the order in which they were made */
	size_t n;
};

/* 0 or -ENOMEM; the rows are the caller's. */
int memory_read(const struct bundle_view *view, struct memory *out);

/* The same, but only what was there at a moment of CLOCK_MONOTONIC, as it was then. */
int memory_read_at(const struct bundle_view *view, uint64_t ns, struct memory *out);

/* When something was made or given back last; 0: nothing ever. */
uint64_t memory_newest_ns(const struct memory *memory);

/* Since when all that was given back is known; 0: all of it is. */
uint64_t memory_known_since(const struct memory *memory);

void memory_free(struct memory *memory);

#endif
