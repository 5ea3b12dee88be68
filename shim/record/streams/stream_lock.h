/*
 * stream_lock.h - which thread may submit to a stream now, and the order of those that submit
 * without the lock.
 *
 * A stream's lock is held from before a submission gets its ordinal until the driver has accepted
 * it and it is marked, so that ordinals are the driver's order. It is the outermost lock: those of
 * maps, tables, strings and the arena are taken inside it. The driver's callbacks, queries and
 * synchronisation never take it.
 *
 * If the stream's queue is full, the driver blocks under the lock, as it would block the stream's
 * other submitters. A thread waits for the lock briefly, then submits without it. Its work has no
 * known order (RECORD_UNORDERED), and is numbered when its call has returned, or later
 * (late_numbers.h). Copies may wait for the GPU while others may go on, so they enter the driver
 * without the lock. Their order is unknown only if another thread took the lock meanwhile.
 */
#ifndef CULPRIT_RECORD_STREAM_LOCK_H
#define CULPRIT_RECORD_STREAM_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "record/host/word_lock.h"
#include "record/streams/stream_rows.h"

struct journal_record;

/*
 * Take the stream's lock for the thread of this id. False: go on without it, because it is held for
 * longer than a submission takes, or its holder left it locked. Any thread.
 */
bool streams_lock_slowly(struct stream *stream, uint32_t tid);
static inline bool streams_lock(struct stream *stream, uint32_t tid)
{
	return word_lock_try(&stream->lock, tid) || streams_lock_slowly(stream, tid);
}
static inline void streams_unlock(struct stream *stream, uint32_t tid)
{
	word_lock_release(&stream->lock, tid);
}

/*
 * As streams_lock(), after a call that has taken this long. Waits a quarter of that, and 100 us at
 * most, for any holder. The driver may have kept this thread and the holder; the holder then comes
 * first.
 */
bool streams_lock_after(struct stream *stream, uint32_t tid, uint64_t call_ns);

/*
 * Open the lock while its holder is in the driver with the submission of `row` (may be NULL); close
 * takes it again. If close returns false, the submission's order is unknown, the lock is not taken,
 * and streams_came_back() must follow. The same thread calls both.
 */
void streams_open(struct stream *stream, uint32_t tid, struct journal_record *row);
bool streams_close(struct stream *stream, uint32_t tid, struct journal_record *row);

/*
 * Enter the driver beside the lock's holder, after waiting for the lock in vain. Returns the
 * ordinal that the call's work comes after. Any thread.
 */
uint64_t streams_pass(struct stream *stream);

/*
 * Leave the driver after a call beside the holder. Once no such call is left, the stream's progress
 * counters belong to the holder's work again. Once for each call, by any thread.
 */
void streams_came_back(struct stream *stream);

/*
 * Use the stream's progress counters again from the next submission on, if they were set aside for
 * calls beside the holder and none is left. The lock's holder only.
 */
void streams_follow_again(struct stream *stream);

/*
 * Number the submission of `row` (may be NULL), whose order is unknown. It is in the stream by now,
 * or never will be: it gets the next ordinal, so it is finished when that is. Returns the ordinal.
 * After streams_keep_order() it gets none, and the newest is returned. The lock's holder only.
 */
uint64_t streams_number_late(struct stream *stream, struct journal_record *row);

/*
 * Freeze the order: from now on an ordered submission stays so even if overtaken, because later
 * calls do not change the order at the failure. Any thread.
 */
void streams_keep_order(void);

/*
 * The thread of this id has left a call without returning from it. Release its locks. If the newest
 * row of its ring (may be NULL) was a submission in that call, its order is unknown. Any thread.
 */
void streams_left(uint32_t tid, struct journal_record *row);

#endif
