/*
 * submission.h - the stage of calls that queue work, and the steps that submissions of all kinds
 * share, from the clock to the driver's acceptance. Launches inline these steps. submit() in
 * launch.c and in submission.c gives the numbers: the ordinal on the stream, and the sequence in
 * the process.
 */
#ifndef CULPRIT_CALL_SUBMISSION_H
#define CULPRIT_CALL_SUBMISSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hot.h"
#include "call/call_state.h"
#include "record/nvtx/nvtx_ranges.h"
#include "record/progress/progress_note.h"
#include "record/streams/markers.h"
#include "record/streams/stream_lock.h"
#include "record/streams/stream_rows.h"
#include "record/thread.h"

/*
 * submission_before() takes the stream's lock and submission_after() releases it; the driver's call
 * comes between. Slot owner only.
 */
void submission_before(struct call *call);
void submission_after(struct call *call, CUresult result);

/* The same for copies, which may wait for the GPU: the lock is open during the driver's call. */
void submission_copy_before(struct call *call);
void submission_copy_after(struct call *call, CUresult result);

/*
 * Journal the submission once more, as a rejection to be explained: the driver rejected it with an
 * error that is not a failure of the GPU. After submission_after(), for a call with a row. Slot
 * owner only.
 */
void submission_rejected(const struct call *call, CUresult result);

/* Rare. End the record of a submission that goes into a graph instead of to the GPU. */
void submission_capture(struct call *call, struct journal_record *record);

/* Go on without the lock: another thread has held the stream's too long. The driver takes both. */
void submission_step_aside(struct call *call);

/* Journal work without an ordinal, because its stream (NULL: unknown) is not locked. */
void submission_go_unordered(const struct call *call, struct journal_record *record);

/* Note finished work after a call that returns when its own work has finished. */
void submission_finished(const struct call *call, struct stream *stream);

static inline void submission_begin(struct thread *thread, struct call *call)
{
	ring_prefetch(&thread->ring);
	call->time_ns = tick_clock_ns(&thread->clock);
}

/* Journal the thread's NVTX ranges, if any; returns RECORD_IN_RANGES if it is in one. */
static inline uint16_t submission_ranges(struct thread *thread)
{
	bool is_in = UNLIKELY(nvtx_is_used()) && nvtx_journal(&thread->ring, thread->tid);
	return is_in ? RECORD_IN_RANGES : 0;
}

/* End the record, which has its numbers. */
static inline void submission_end(struct thread *thread, struct call *call,
				  struct journal_record *record)
{
	call->row = ring_end(&thread->ring, record);
	if (UNLIKELY(!call->row))
		streams_note_lost();
}

/* Note accepted work of a locked stream; its row may be NULL. */
static inline __attribute__((always_inline)) void
submission_accept(const struct call *call, struct stream *stream, struct journal_record *row)
{
	uint64_t ordinal = call->ordinal;
	/* Pairs with the acquire load in streams_submitted(). */
	__atomic_store_n(&stream->row->submitted, ordinal, __ATOMIC_RELEASE);
	bool is_told = progress_note_of(&stream->progress, ordinal, row);
	if (UNLIKELY(!is_told))
		streams_follow_again(stream);
	if (LIKELY(row) && UNLIKELY(row->flags & RECORD_SYNCHRONOUS))
		submission_finished(call, stream);
	else
		markers_follow(stream, ordinal, call->time_ns, row, is_told);
}

#endif
