/*
 * stream_lock.c - let threads take turns at a stream, and note work whose order is lost.
 *
 * The progress counters of a stream's newest submission (progress_tracker.h) belong to our
 * submission only if no other can come between. They are ignored as long as one may.
 */
#include "record/streams/stream_lock.h"

#include <stddef.h>

#include "base/hot.h"
#include "record/progress/progress_tracker.h"
#include "record/streams/contexts.h"
#include "record/streams/stream_rows.h"

/*
 * The wait for one holder. A submission takes microseconds, but the holder may have to wait for a
 * processor. The wait happens once: then other threads do not wait until that holder lets go.
 */
static const uint64_t PATIENCE_NS = 100000000;

/* After its call, an overtaken thread can also be numbered later. */
static const uint64_t PATIENCE_AFTER_NS = 100000;

static bool is_order_frozen; /* atomic, written once: raised by the failure */

void streams_freeze_order(void)
{
	__atomic_store_n(&is_order_frozen, true, __ATOMIC_RELAXED);
}

static bool has_frozen_order(const struct journal_record *row)
{
	return __atomic_load_n(&is_order_frozen, __ATOMIC_RELAXED) &&
	       __atomic_load_n(&row->ordinal, __ATOMIC_RELAXED) != 0;
}

/*
 * Count a call beside the holder, until streams_came_back(). Counted before the stream is set
 * aside, because streams_follow_again() checks the count last.
 */
static void count_beside(struct stream *stream)
{
	(void)__atomic_fetch_add(&stream->n_beside, 1, __ATOMIC_SEQ_CST);
}

/* Called before the record is marked: a reader that sees the mark sees this. */
static void note_unordered(struct stream *stream)
{
	progress_tracker_set_aside(&stream->progress);
	if (!__atomic_load_n(&is_order_frozen, __ATOMIC_RELAXED))
		(void)__atomic_fetch_or(&stream->row->flags, STREAM_UNORDERED, __ATOMIC_RELAXED);
}

static void lose_order(struct stream *stream, struct journal_record *row)
{
	note_unordered(stream);
	if (!row || has_frozen_order(row))
		return;
	uint64_t ordinal = __atomic_load_n(&row->ordinal, __ATOMIC_RELAXED);
	/* It came after all earlier ones. A second overtaking finds no ordinal any more. */
	if (ordinal && !(row->flags & RECORD_UNORDERED))
		__atomic_store_n(&row->progress.behind, ordinal - 1, __ATOMIC_RELAXED);
	__atomic_store_n(&row->flags, row->flags | RECORD_UNORDERED, __ATOMIC_RELAXED);
	__atomic_store_n(&row->ordinal, 0, __ATOMIC_RELAXED);
}

/* The lock was just taken beside a call that is in the driver without it. */
static void overtake(struct stream *stream)
{
	struct journal_record *row = __atomic_exchange_n(&stream->open, NULL, __ATOMIC_ACQ_REL);
	futex_lock_note(&stream->lock, false);
	if (!row)
		return;
	count_beside(stream);
	lose_order(stream, row);
}

static bool take(struct stream *stream, uint32_t tid, uint64_t patience_ns)
{
	bool is_taken = futex_lock_wait(&stream->lock, tid, patience_ns);
	uint32_t stuck_with = is_taken ? 0 : futex_lock_owner(&stream->lock);
	/* A shorter wait does not show that the holder is stuck. */
	if (is_taken || patience_ns == PATIENCE_NS)
		__atomic_store_n(&stream->stuck_with, stuck_with, __ATOMIC_RELAXED);
	return is_taken;
}

/* Return 0 for a holder that was waited for in vain, until it lets go. */
static uint64_t patience(const struct stream *stream)
{
	uint32_t stuck_with = __atomic_load_n(&stream->stuck_with, __ATOMIC_RELAXED);
	return stuck_with && stuck_with == futex_lock_owner(&stream->lock) ? 0 : PATIENCE_NS;
}

static bool wait_for(struct stream *stream, uint32_t tid, uint64_t patience_ns)
{
	if (!take(stream, tid, patience_ns))
		return false;
	overtake(stream);
	return true;
}

bool streams_lock_after(struct stream *stream, uint32_t tid, uint64_t call_ns)
{
	uint64_t ns = call_ns / 4 < PATIENCE_AFTER_NS ? call_ns / 4 : PATIENCE_AFTER_NS;
	return futex_lock_try(&stream->lock, tid) || wait_for(stream, tid, ns);
}

COLD bool streams_lock_slowly(struct stream *stream, uint32_t tid)
{
	return wait_for(stream, tid, patience(stream));
}

void streams_open(struct stream *stream, uint32_t tid, struct journal_record *row)
{
	/* A thread that was in the driver before lost its order when this lock was taken. */
	__atomic_store_n(&stream->open, row, __ATOMIC_RELEASE);
	if (row)
		futex_lock_note(&stream->lock, true);
	streams_unlock(stream, tid);
}

/* True if no thread has taken the lock since. */
static bool take_back(struct stream *stream, struct journal_record *row)
{
	return row && __atomic_compare_exchange_n(&stream->open, &row, NULL, false,
						  __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Do not wait if overtaken: the other thread has the lock, and our place in the order. */
static bool lock_again(struct stream *stream, uint32_t tid, const struct journal_record *row)
{
	return row && __atomic_load_n(&stream->open, __ATOMIC_RELAXED) == row &&
	       take(stream, tid, patience(stream));
}

bool streams_close(struct stream *stream, uint32_t tid, struct journal_record *row)
{
	bool is_locked = lock_again(stream, tid, row);
	bool is_back = take_back(stream, row);
	if (is_back && is_locked) {
		futex_lock_note(&stream->lock, false);
		return true;
	}
	if (is_locked)
		streams_unlock(stream, tid);
	if (is_back || !row)
		count_beside(stream);
	lose_order(stream, row);
	return false;
}

uint64_t streams_pass(struct stream *stream)
{
	count_beside(stream);
	note_unordered(stream);
	/* Pairs with the release stores after a call: numbered work is in the stream. */
	return __atomic_load_n(&stream->row->submitted, __ATOMIC_ACQUIRE);
}

void streams_came_back(struct stream *stream)
{
	(void)__atomic_fetch_sub(&stream->n_beside, 1, __ATOMIC_SEQ_CST);
}

/* A thread that comes beside now counts itself before it sets the stream aside. */
COLD void streams_follow_again(struct stream *stream)
{
	if (!progress_tracker_is_aside(&stream->progress) ||
	    __atomic_load_n(&stream->n_beside, __ATOMIC_SEQ_CST))
		return;
	progress_tracker_follow_again(&stream->progress);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (__atomic_load_n(&stream->n_beside, __ATOMIC_SEQ_CST))
		progress_tracker_set_aside(&stream->progress);
}

uint64_t streams_number_late(struct stream *stream, struct journal_record *row)
{
	/* Work that returns after the failure keeps its state then: in the driver, unordered. */
	if (__atomic_load_n(&is_order_frozen, __ATOMIC_RELAXED))
		return stream->row->submitted;
	uint64_t ordinal = stream->row->submitted + 1;
	if (row)
		__atomic_store_n(&row->ordinal, ordinal, __ATOMIC_RELAXED);
	/* Pairs with the acquire load in streams_submitted(). */
	__atomic_store_n(&stream->row->submitted, ordinal, __ATOMIC_RELEASE);
	streams_follow_again(stream);
	return ordinal;
}

/* Finds a stream locked by this thread, or the stream of this id. */
struct stream_search {
	uint32_t owner, id;
	struct stream *found;
};

static void match(struct stream *stream, void *data)
{
	struct stream_search *search = data;
	bool is_held = search->owner && futex_lock_owner(&stream->lock) == search->owner;
	if (is_held || (search->id && stream->id == search->id))
		search->found = stream;
}

static void search_context(struct context *context, void *data)
{
	streams_for_each(context, match, data);
}

static struct stream *search_all(uint32_t owner, uint32_t id)
{
	struct stream_search search = {.owner = owner, .id = id};
	contexts_for_each(search_context, &search);
	return search.found;
}

/* True if it was in the driver, or on its way there or back. */
static bool is_unsettled(const struct journal_record *row)
{
	return row && row->kind == RECORD_SUBMISSION &&
	       (row->result == RESULT_PENDING || row->result == CUDA_SUCCESS);
}

/* Settle a left submission. Leaves the stream locked, if possible. */
static void settle(struct stream *stream, uint32_t tid, struct journal_record *row)
{
	bool is_held = futex_lock_owner(&stream->lock) == tid || streams_lock(stream, tid);
	if (is_held && row->ordinal && row->ordinal <= stream->row->submitted)
		return; /* It was accepted; only the lock was left held. */
	(void)take_back(stream, row);
	lose_order(stream, row);
	if (is_held)
		(void)streams_number_late(stream, row);
	else
		streams_note_lost();
}

void streams_left(uint32_t tid, struct journal_record *row)
{
	if (is_unsettled(row)) {
		struct stream *stream = row->stream ? search_all(0, row->stream) : NULL;
		if (stream)
			settle(stream, tid, row);
		else
			streams_note_lost();
	}
	for (struct stream *held = search_all(tid, 0); held; held = search_all(tid, 0))
		streams_unlock(held, tid);
}
