/*
 * stream_lock.h - which thread may submit to a stream now, and the order of those that submit
 * without the lock.
 *
 * A stream's lock is held from before a submission gets its ordinal until the driver has accepted
 * it and it is marked, so that ordinals are the driver's order. It is the outermost lock: those of
 * maps, tables, strings and the arena are taken inside it. The driver's callbacks, queries and
 * synchronisation never take it.
 *
 * If the stream's queue is full, the holder blocks in the driver, where the stream's other
 * submitters would block too. So a thread waits for the lock only briefly, then submits without it.
 * Its work has no known order (RECORD_UNORDERED), and is numbered after its call has returned
 * (late_numbers.h). A copy may wait for the GPU while other submitters need not, so it enters the
 * driver without the lock. Its order is unknown only if another thread took the lock meanwhile.
 */
#ifndef CULPRIT_RECORD_STREAM_LOCK_H
#define CULPRIT_RECORD_STREAM_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "record/host/futex_lock.h"
#include "record/streams/stream_rows.h"

struct journal_record;

/*
 * Take the stream's lock for the thread of this id. Returns false if the lock is held for longer
 * than a submission takes, or if its holder left it locked: submit without it. Any thread.
 */
bool streams_lock_slowly(struct stream *stream, uint32_t tid);
static inline bool streams_lock(struct stream *stream, uint32_t tid)
{
	return futex_lock_try(&stream->lock, tid) || streams_lock_slowly(stream, tid);
}
static inline void streams_unlock(struct stream *stream, uint32_t tid)
{
	futex_lock_release(&stream->lock, tid);
}

/*
 * Take the lock as streams_lock() does, after a call that has taken `call_ns`. Waits a quarter of
 * that, and at most 100 us, whichever thread is the holder: the driver may have blocked both
 * threads, and the holder needs the time to release the lock. Any thread.
 */
bool streams_lock_after(struct stream *stream, uint32_t tid, uint64_t call_ns);

/*
 * Release the lock while its holder is in the driver with the submission of `row` (may be NULL),
 * and take it again afterwards. If streams_close() returns false, the submission's order is
 * unknown, the lock is not taken, and the thread must call streams_came_back(). The same thread
 * calls both.
 */
void streams_open(struct stream *stream, uint32_t tid, struct journal_record *row);
bool streams_close(struct stream *stream, uint32_t tid, struct journal_record *row);

/*
 * Note that this thread enters the driver without the lock, because it waited for it in vain.
 * Returns the ordinal that the call's work comes after. Any thread.
 */
uint64_t streams_pass(struct stream *stream);

/*
 * Note that a call without the lock has left the driver. After the last of them, the stream's
 * progress counters belong to the holder's work again. Once for each call, by any thread.
 */
void streams_came_back(struct stream *stream);

/*
 * Use the stream's progress counters again from the next submission on, if they were set aside for
 * calls without the lock and all of these have left the driver. The lock's holder only.
 */
void streams_follow_again(struct stream *stream);

/*
 * Number the submission of `row` (may be NULL), whose order is unknown. Its call has returned, so
 * it is in the stream or never will be, and it has finished once the next ordinal has. Gives it
 * that ordinal and returns it; after streams_freeze_order(), returns the newest and gives none. The
 * lock's holder only.
 */
uint64_t streams_number_late(struct stream *stream, struct journal_record *row);

/*
 * Freeze the order at the failure: from now on an ordered submission stays ordered, even if a later
 * call overtakes it. Any thread.
 */
void streams_freeze_order(void);

/*
 * Release the locks of the thread of this id, which has left a call without returning from it. If
 * the newest row of its ring (may be NULL) was a submission in that call, its order is unknown. Any
 * thread.
 */
void streams_left(uint32_t tid, struct journal_record *row);

#endif
