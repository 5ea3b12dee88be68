/*
 * progress_parts.h - the steps of filling a struct progress, in the order in which attribution
 * takes them.
 */
#ifndef CULPRIT_PROGRESS_PROGRESS_PARTS_H
#define CULPRIT_PROGRESS_PROGRESS_PARTS_H

#include "fault/fault_story.h"
#include "progress/progress.h"

/* progress_read.c: read the journal into a struct progress. */

/* Return the scratch that progress_read() needs, in bytes. */
size_t progress_read_scratch(const struct bundle_view *view, const struct moment *moment);

/*
 * Read the journal for that moment: done, submitted, open work and edges. If `with_words` is true,
 * also read the driver's counters, which must be usable. Returns 0, or -ENOMEM if the scratch is
 * not aligned to 8 or too small for the tables. Records that appeared since progress_read_scratch()
 * and do not fit count as unplaced.
 */
int progress_read(const struct bundle_view *view, const struct moment *moment, bool with_words,
		  void *scratch, size_t scratch_size, struct progress *out);

/*
 * order_limits.c: what the order of work proves: which other work is finished, and which work
 * cannot have started.
 */

/* The stream is known to have finished up to `ordinal`. Call this before limits_raise_done(). */
void limits_raise_stream(struct progress *progress, uint32_t id, uint64_t ordinal);

/* Raise `done` by what finished work must have waited for. Call this after progress_read(). */
void limits_raise_done(struct progress *progress);

/* Fill limits[level] of each stream. Call this after limits_raise_done(), strict level first. */
void limits_find(struct progress *progress, enum order_level level);

/* Forget what holds the stream back, at all levels. */
void limits_drop(struct progress *progress, uint32_t id);

/*
 * fault_page.c: compare the pages of memory faults with the memory that each submission was given.
 * attribution.h, rule 16, says why this is sound.
 */

/*
 * Mark open copies, memsets and the like that touch none of the pages as elsewhere. Mark work that
 * was given memory at the first page, or that ends before it, as being at the fault. Without a
 * story of a memory fault alone, this has no effect.
 */
void fault_page_mark(struct progress *progress, const struct fault_story *story);

#endif
