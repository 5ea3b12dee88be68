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
void memory_free(struct memory *memory);

#endif
