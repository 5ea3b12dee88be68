/*
 * memory_producers.h - finds submissions before a suspect that may have written what it read: its
 * memory is among their parameters, or the target of a copy or memset.
 */
#ifndef CULPRIT_MEMORY_MEMORY_PRODUCERS_H
#define CULPRIT_MEMORY_MEMORY_PRODUCERS_H

#include "view/bundle_view.h"

enum { MEMORY_MAX_PRODUCERS = 4, MEMORY_MAX_PIECES = 16 };

/* A piece of memory that was passed to the suspect. */
struct memory_piece {
	uint64_t start;
	uint64_t size;
	uint32_t argument; /* set by the caller: index of the suspect's argument */
};

struct memory_producer {
	struct journal_record record;
	uint32_t piece; /* index of the first piece that it touched */
};

struct memory_producers {
	uint32_t n;
	struct memory_producer rows[MEMORY_MAX_PRODUCERS]; /* the newest first */
};

/*
 * Find accepted submissions before number `sequence` that touched one of the n pieces; of each code
 * location only the newest. The walk starts at the newest launch and is bounded, so it may miss old
 * ones. Any thread.
 */
void memory_find_producers(const struct bundle_view *view, uint64_t sequence,
			   const struct memory_piece *pieces, uint32_t n,
			   struct memory_producers *out);

#endif
