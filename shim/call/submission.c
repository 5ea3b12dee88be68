/*
 * submission.c - number and journal work.
 */
#include "call/submission.h"

#include <stddef.h>

#include "base/hot.h"
#include "call/describe.h"
#include "record/driver/captures.h"
#include "record/graphs/graph_origins.h"
#include "record/graphs/graphs.h"
#include "record/journal/call_names.h"
#include "record/journal/sequence.h"
#include "record/progress/progress_tracker.h"
#include "record/stacks/stack.h"
#include "record/streams/streams.h"

/* Fill in what all kinds share. Numbers are assigned later, under the stream's lock. */
static void begin_record(struct call *call, struct journal_record *record)
{
	struct thread *thread = call->thread;
	submission_begin(thread, call);
	*record = (struct journal_record){
		.kind = RECORD_SUBMISSION,
		.time_ns = call->time_ns,
		.tid = thread->tid,
		.call = call_name_cached(&thread->call_name, call->id),
		.result = RESULT_PENDING,
	};
	record->stack = stack_capture(&thread->stacks, call->frame);
	record->flags = submission_ranges(thread);
}

/*
 * Record without a number. The lock keeps other submissions away until the new node is known.
 */
COLD void submission_capture(struct call *call, struct journal_record *record)
{
	record->kind = RECORD_CAPTURED;
	record->stream = call->stream->id;
	record->sequence = sequence_newest();
	call->row = ring_end(&call->thread->ring, record);
	call->capturing = streams_lock(call->stream, call->thread->tid) ? call->stream : NULL;
	call->stream = NULL;
}

COLD void submission_step_aside(struct call *call)
{
	call->unordered = call->stream;
	call->stream = NULL;
}

COLD void submission_go_unordered(const struct call *call, struct journal_record *record)
{
	if (!call->unordered)
		return;
	record->progress.behind = streams_pass(call->unordered);
	record->stream = call->unordered->id;
	record->flags |= RECORD_UNORDERED;
}

/* End the record with its numbers. The stream is locked, unless it is NULL. */
static void submit(struct thread *thread, struct call *call, struct journal_record *record)
{
	struct stream *stream = call->stream;
	if (stream) {
		call->ordinal = stream->row->submitted + 1;
		record->stream = stream->id;
		record->ordinal = call->ordinal;
	} else {
		submission_go_unordered(call, record);
	}
	record->sequence = sequence_next();
	submission_end(thread, call, record);
}

void submission_before(struct call *call)
{
	/* There are many kinds, and no hot path, so copy a draft to the row. */
	struct thread *thread = call->thread;
	struct journal_record *record = &thread->ring.draft;
	begin_record(call, record);
	describe_submission(call, record);
	call->stream = streams_of(&thread->streams, describe_stream(call),
				  driver_calls[call->id].is_default_per_thread);
	if (call->stream && captures_stream(call->stream->handle)) {
		submission_capture(call, record);
		return;
	}
	if (record->work == WORK_GRAPH)
		graphs_launched((CUgraphExec)(uintptr_t)record->graph.handle, &record->graph);
	if (call->stream && !streams_lock(call->stream, thread->tid))
		submission_step_aside(call);
	submit(thread, call, record);
}

__attribute__((noinline)) void submission_finished(const struct call *call, struct stream *stream)
{
	streams_finished(stream->row, call->ordinal, call_name_id(call->id));
	progress_tracker_check(&stream->progress, call->ordinal);
}

/* Note which graph node the submission became. */
static COLD void follow_captured(const struct call *call, CUresult result)
{
	const struct journal_record *row = call->row;
	if (result == CUDA_SUCCESS && row)
		graph_origins_captured(call->capturing->handle, row->stack);
	streams_unlock(call->capturing, call->thread->tid);
}

/* Account for accepted work that cannot be numbered, or only now. */
static COLD void accept_unordered(const struct call *call)
{
	struct stream *stream = call->unordered;
	uint32_t tid = call->thread->tid;
	if (call->row && call->row->flags & RECORD_SYNCHRONOUS && call->row->work == WORK_COPY)
		return; /* The call waited for the copy, so it has finished. */
	uint64_t now_ns = tick_clock_ns(&call->thread->clock);
	uint64_t call_ns = now_ns > call->time_ns ? now_ns - call->time_ns : 0;
	if (!stream) {
		streams_note_lost();
		return;
	}
	if (!streams_lock_after(stream, tid, call_ns)) {
		streams_owe_number(&call->thread->streams, tid, stream, call->row,
				   call->thread->ring.header);
		return;
	}
	uint64_t ordinal = streams_number_late(stream, call->row);
	markers_follow(stream, ordinal, call->time_ns, call->row, false);
	streams_unlock(stream, tid);
}

/* Settle work of an unlocked or unknown stream, or work that went into a graph. */
static COLD void settle_unlocked(struct call *call, CUresult result)
{
	bool is_captured = call->row && call->row->kind == RECORD_CAPTURED;
	if (call->unordered)
		streams_came_back(call->unordered);
	if (call->capturing)
		follow_captured(call, result);
	if (result == CUDA_SUCCESS && !is_captured)
		accept_unordered(call);
}

static COLD void refuse(const struct journal_record *row)
{
	if (row && row->kind == RECORD_SUBMISSION && row->work == WORK_GRAPH)
		graphs_refused((CUgraphExec)(uintptr_t)row->graph.handle);
}

void submission_after(struct call *call, CUresult result)
{
	struct stream *stream = call->stream;
	if (call->row)
		__atomic_store_n(&call->row->result, (int32_t)result, __ATOMIC_RELEASE);
	if (result != CUDA_SUCCESS)
		refuse(call->row);
	if (!stream) {
		settle_unlocked(call, result);
		return;
	}
	if (result == CUDA_SUCCESS)
		submission_accept(call, stream, call->row);
	streams_unlock(stream, call->thread->tid);
}

void submission_copy_before(struct call *call)
{
	submission_before(call);
	if (call->stream)
		streams_open(call->stream, call->thread->tid, call->row);
}

void submission_copy_after(struct call *call, CUresult result)
{
	if (call->stream && !streams_close(call->stream, call->thread->tid, call->row)) {
		call->unordered = call->stream;
		call->stream = NULL;
	}
	submission_after(call, result);
}

void submission_rejected(const struct call *call, CUresult result)
{
	struct journal_record record = *call->row;
	record.kind = RECORD_REJECTION;
	record.ordinal = 0;
	record.result = (int32_t)result;
	if (record.work == WORK_KERNEL) { /* its argument rows are the submission's */
		record.launch.argument_bytes = 0;
		record.launch.n_argument_rows = 0;
	}
	(void)ring_append(&call->thread->ring, &record);
}
