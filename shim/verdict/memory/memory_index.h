/*
 * memory_index.h - the rows of memory by their addresses: which lie at or close to one is found in
 * the time of a logarithm, and that of what lies there. A report looks up each pointer of its
 * suspects, in a process that may have a million allocations.
 */
#ifndef CULPRIT_VERDICT_MEMORY_INDEX_H
#define CULPRIT_VERDICT_MEMORY_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "verdict/view/bundle_view.h"

/* A pointer this close to a range was probably meant to be inside it. */
enum { MEMORY_CLOSE = 4096 };

struct memory_index_row;
struct memory_index_end;

struct memory_index {
	uint32_t n;
	const struct memory_index_row *rows; /* by start, those of handles left out */
	const struct memory_index_end *ends;
};

/* With fewer rows a walk over them costs less than an index. */
enum { MEMORY_INDEX_MIN = 4096 };

/* How many zeroed bytes memory_index_make() needs; they are to last as long as the index. */
size_t memory_index_scratch(const struct bundle_view *view);

/* Of the rows that there are now. Any thread. */
void memory_index_make(const struct bundle_view *view, void *scratch, struct memory_index *out);

/*
 * Calls `visit` with the id of each row that contains the address or lies less than MEMORY_CLOSE
 * from it; of rows that were written again since, too. Any thread.
 */
void memory_index_visit(const struct memory_index *index, uint64_t address,
			void (*visit)(uint32_t id, void *argument), void *argument);

#endif
