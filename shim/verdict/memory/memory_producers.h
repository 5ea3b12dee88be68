/*
 * memory_producers.h - which submissions before a suspect had its memory among their parameters, or
 * as the target of a copy or memset: who may have written what it read.
 */
#ifndef CULPRIT_VERDICT_MEMORY_PRODUCERS_H
#define CULPRIT_VERDICT_MEMORY_PRODUCERS_H

#include "verdict/view/bundle_view.h"

enum { MEMORY_MAX_PRODUCERS = 4, MEMORY_MAX_PIECES = 16 };

/* A piece of memory that the suspect was given. */
struct memory_piece {
	uint64_t start;
	uint64_t size;
	uint32_t argument; /* the caller's: which of the suspect's */
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
 * Of the accepted submissions with a smaller number than `sequence` the newest of each place that
 * touched one of the n pieces. Of very many launches not all are looked at, the newest first. Any
 * thread.
 */
void memory_find_producers(const struct bundle_view *view, uint64_t sequence,
			   const struct memory_piece *pieces, uint32_t n,
			   struct memory_producers *out);

#endif
