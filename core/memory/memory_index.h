/*
 * memory_index.h - an index of memory rows by address. Finding the rows at or near an address takes
 * logarithmic time plus the time for the rows found. A report looks up each pointer of its
 * suspects, in a process that may have a million allocations.
 */
#ifndef CULPRIT_MEMORY_MEMORY_INDEX_H
#define CULPRIT_MEMORY_MEMORY_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "view/bundle_view.h"

/* A pointer less than this many bytes from a range was probably meant to be inside it. */
enum { MEMORY_CLOSE = 4096 };

struct memory_index_row;
struct memory_index_end;

struct memory_index {
	uint32_t n;
	const struct memory_index_row *rows; /* by start, without handles */
	const struct memory_index_end *ends;
};

/* With fewer rows, walking them is cheaper than an index. */
enum { MEMORY_INDEX_MIN = 4096 };

/* Return how many zeroed bytes memory_index_make() needs. They must outlive the index. */
size_t memory_index_scratch(const struct bundle_view *view);

/* Index the rows that exist now. Any thread. */
void memory_index_make(const struct bundle_view *view, void *scratch, struct memory_index *out);

/*
 * Call `visit` with the id of each row that contains the address or is less than MEMORY_CLOSE from
 * it. The row may have been rewritten since it was indexed. Any thread.
 */
void memory_index_visit(const struct memory_index *index, uint64_t address,
			void (*visit)(uint32_t id, void *argument), void *argument);

#endif
