/*
 * unordered.h - work whose place on its stream is not known (RECORD_UNORDERED): it went to the
 * driver beside other work, and has a place somewhere behind what was in the stream by then. Where
 * that is work that cannot have ended, this cannot have started.
 *
 * Programmatic launches may start early, and so may what is behind them: of these, and on streams
 * that have any behind the wall, nothing is claimed.
 */
#ifndef CULPRIT_VERDICT_UNORDERED_H
#define CULPRIT_VERDICT_UNORDERED_H

#include <stdbool.h>
#include <stdint.h>

#include "verdict/progress/progress.h"

/*
 * While the journal is read: keeps what is at `position` of ring `slot`, or counts it as unplaced
 * where there is no room. Kept is also what its own call has waited for, though it is over: its
 * ordinal is nobody else's.
 */
void unordered_add(struct progress *progress, uint32_t slot, uint64_t position,
		   const struct journal_record *record);

/* While the journal is read: work of no known stream. */
void unordered_add_unplaced(struct progress *progress, const struct journal_record *record);

/* The stream's, newest first; NULL: no more. */
const struct unordered_work *unordered_first(const struct progress *progress,
					     const struct stream_progress *stream);
const struct unordered_work *unordered_next(const struct progress *progress,
					    const struct unordered_work *work);

/*
 * Ordinals of the stream up to `limit` that are unfinished and nobody's: their records are gone. On
 * a stream with work of unknown order these may be its, and so anywhere: then all are counted.
 */
uint64_t unordered_count_lost(const struct progress *progress, const struct stream_progress *stream,
			      uint64_t limit);

/* Is it finished for sure? */
bool unordered_is_over(const struct progress *progress, const struct unordered_work *work);

/* Can it not have started? After limits_find, as the next. */
bool unordered_is_blocked(const struct progress *progress, const struct unordered_work *work,
			  enum order_level level);

/* May it have led to the moment's code, as far as known? */
bool unordered_is_suspect(const struct progress *progress, const struct unordered_work *work,
			  enum order_level level);

/* How many submissions have no known place, or stream, and were not over at once. */
uint64_t unordered_count(const struct progress *progress);

/* How many of these may have led to it. After limits_find. */
uint64_t unordered_suspects(const struct progress *progress, enum order_level level);

#endif
