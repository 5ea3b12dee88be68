/*
 * unordered.h - work whose order on its stream is not known (RECORD_UNORDERED). It went to the
 * driver beside other work, and comes somewhere after what was in the stream by then. If that
 * earlier work cannot be over, the unordered work cannot have started. The newest of the earlier
 * work may have got its marker after the unordered work, so that marker says nothing about it.
 *
 * Programmatic launches may start early, and so may work after them. So nothing is claimed about
 * them, nor on streams that have any after the wall.
 */
#ifndef CULPRIT_PROGRESS_UNORDERED_H
#define CULPRIT_PROGRESS_UNORDERED_H

#include <stdbool.h>
#include <stdint.h>

#include "progress/progress.h"

/*
 * Keep the work at `position` of ring `slot`, or count it as unplaced if there is no room. Work
 * that its own call has waited for is kept, too, although it is over: its ordinal is taken. Call
 * this while the journal is read.
 */
void unordered_add(struct progress *progress, uint32_t slot, uint64_t position,
		   const struct journal_record *record);

/* True if its call waited for the copy and returned success: it is over, unless dumps are on. */
bool unordered_has_waited(const struct journal_record *record);

/* Count work without a known stream. Call this while the journal is read. */
void unordered_add_unplaced(struct progress *progress, const struct journal_record *record);

/* Iterate over the stream's unordered work, newest first; NULL at the end. */
const struct unordered_work *unordered_first(const struct progress *progress,
					     const struct stream_progress *stream);
const struct unordered_work *unordered_next(const struct progress *progress,
					    const struct unordered_work *work);

/*
 * Count the stream's unfinished ordinals up to `limit` that no submission has: their records are
 * lost. On a stream with work of unknown order they may belong to such work, and so be anywhere:
 * then all are counted.
 */
uint64_t unordered_count_lost(const struct progress *progress, const struct stream_progress *stream,
			      uint64_t limit);

/* Count the stream's unfinished ordinals up to `limit` that belong to work of unknown order. */
uint64_t unordered_count_late(const struct progress *progress, const struct stream_progress *stream,
			      uint64_t limit);

/* True if it is surely over. */
bool unordered_is_over(const struct progress *progress, const struct unordered_work *work);

/*
 * True if the limit holds back work that comes after the ordinal `behind` and has these flags (enum
 * record_flags).
 */
bool unordered_is_held(const struct stream_limit *limit, uint64_t behind, uint16_t flags);

/* True if it cannot have started. Call this and unordered_is_suspect() after limits_find(). */
bool unordered_is_blocked(const struct progress *progress, const struct unordered_work *work,
			  enum order_level level);

/* True if it may have led to the moment's code, as far as known. */
bool unordered_is_suspect(const struct progress *progress, const struct unordered_work *work,
			  enum order_level level);

/* Count the submissions without a known order or stream whose calls did not wait for them. */
uint64_t unordered_count(const struct progress *progress);

/* Count those of them that may have led to the code. Call this after limits_find(). */
uint64_t unordered_suspects(const struct progress *progress, enum order_level level);

#endif
