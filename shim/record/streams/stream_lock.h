/*
 * stream_lock.h - who may submit to a stream now, and what becomes of the order of those who do so
 * all the same.
 *
 * A stream's lock is held from before the driver is called until the submission is numbered and
 * marked, so that ordinals are the driver's order. It is the outermost lock: those of maps, tables,
 * strings and the arena are taken inside it, none of the driver's callbacks takes it. Queries and
 * synchronisation never take it.
 *
 * Where the stream's queue is full the driver blocks under it, as it would block the stream's other
 * submitters. Who waits for the lock does so for a moment only, and submits without it: his work
 * has no known order (RECORD_UNORDERED), and is numbered when his call has returned, or later
 * (late_numbers.h). Copies may wait for the GPU, where others may go on: they are at the driver
 * without the lock, and only if another thread took it meanwhile is their order unknown.
 */
#ifndef CULPRIT_RECORD_STREAM_LOCK_H
#define CULPRIT_RECORD_STREAM_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "record/host/word_lock.h"
#include "record/streams/stream_rows.h"

struct journal_record;

/*
 * Takes the stream's lock for the thread of this id. False: it is held for longer than a submission
 * takes, or was left behind; do without. Any thread.
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
 * As streams_lock() after a call that has taken this long: a quarter of it is waited, and 100 us at
 * most, whoever has the lock. Who was kept by the driver together with its holder comes after him.
 */
bool streams_lock_after(struct stream *stream, uint32_t tid, uint64_t call_ns);

/*
 * The thread goes to the driver without the lock that it holds, with the submission of `row` (may
 * be NULL). Back from there it takes it again. False: the order of the submission is not known, the
 * lock is not taken, and streams_came_back() is to follow. By the holder, and by the same.
 */
void streams_open(struct stream *stream, uint32_t tid, struct journal_record *row);
bool streams_close(struct stream *stream, uint32_t tid, struct journal_record *row);

/*
 * The thread goes to the driver beside the lock's holder, having waited for it in vain. Returns the
 * ordinal that it will be behind. Any thread.
 */
uint64_t streams_pass(struct stream *stream);

/*
 * A call that was beside has returned from the driver: once none is there, the driver's words of
 * the stream are its holder's again. Once for each, by any thread.
 */
void streams_came_back(struct stream *stream);

/*
 * The driver's words of the stream are asked again from the next submission on, if they were left
 * alone for calls that were beside and none is there any more. By the lock's holder.
 */
void streams_follow_again(struct stream *stream);

/*
 * The submission of `row` (may be NULL), of unknown order, is in the stream by now, or never will
 * be: its ordinal is the next, so that it is finished when that is. Returns it. After
 * streams_keep_order() it gets none, and the newest is returned. By the lock's
 * holder.
 */
uint64_t streams_number_late(struct stream *stream, struct journal_record *row);

/*
 * From now on a submission that has an order keeps it, whoever comes between: what came after the
 * failure changes nothing of how things stood then. Any thread.
 */
void streams_keep_order(void);

/*
 * The thread of this id has left a call without returning from it: what it holds is given back, and
 * the newest row of its ring (may be NULL), if it was a submission then, is of unknown order. Any
 * thread.
 */
void streams_left(uint32_t tid, struct journal_record *row);

#endif
