/*
 * submission.c - numbering and journaling of work.
 */
#include "call/submission.h"

#include <string.h>

#include "base/hot.h"
#include "call/describe.h"
#include "record/driver/captures.h"
#include "record/graphs/graph_origins.h"
#include "record/graphs/graphs.h"
#include "record/journal/call_names.h"
#include "record/journal/sequence.h"
#include "record/nvtx/nvtx_journal.h"
#include "record/nvtx/nvtx_ranges.h"
#include "record/objects/functions.h"
#include "record/objects/whole_arguments.h"
#include "record/stacks/stack.h"
#include "record/streams/markers.h"
#include "record/streams/stream_lock.h"
#include "record/streams/stream_rows.h"
#include "record/streams/streams.h"
#include "record/thread.h"

/*
 * Argument bytes kept of one launch: two rows of the ring. Pointers and sizes stand first in the
 * usual kernel; eight rows made a launch of PyTorch 1.3 us dearer (H200 host), because so many
 * stores to memory that is in no cache fill the processor's store buffer.
 */
enum { MAX_ARGUMENT_BYTES = 2 * RECORD_PAYLOAD };

/* Whole rows: behind the arguments the bytes are 0. How many there are. */
static inline uint16_t append_arguments(struct thread *thread, const unsigned char *bytes,
					size_t size)
{
	uint16_t n = 0;
	for (size_t at = 0; at < size; at += RECORD_PAYLOAD, n++) {
		struct journal_record record = {.kind = RECORD_ARGUMENTS, .tid = thread->tid};
		memcpy(record.argument_bytes, bytes + at, RECORD_PAYLOAD);
		(void)ring_append(&thread->ring, &record);
	}
	return n;
}

/* Those that one row may not hold. */
static HOT __attribute__((noinline)) void journal_long_arguments(struct thread *thread,
								 const struct launch *launch,
								 const struct function *function,
								 struct journal_record *record)
{
	unsigned char bytes[MAX_ARGUMENT_BYTES] = {0};
	size_t copied;
	size_t size = functions_copy_arguments(function, launch->parameters, launch->extra, bytes,
					       sizeof(bytes), &copied);
	if (copied < size) {
		record->flags |= RECORD_ARGUMENTS_CUT;
		whole_arguments_keep(function, launch->parameters, launch->extra, record->tid,
				     record->time_ns);
	}
	record->launch.n_argument_rows = append_arguments(thread, bytes, copied);
	record->launch.argument_bytes = (uint32_t)copied;
}

/* Writes the argument rows of a launch, and what its record says of them. */
static HOT __attribute__((noinline)) void journal_arguments(struct thread *thread,
							    const struct launch *launch,
							    const struct function *function,
							    struct journal_record *record)
{
	if (function->size > RECORD_PAYLOAD || !launch->parameters) {
		journal_long_arguments(thread, launch, function, record);
		return;
	}
	struct journal_record row = {.kind = RECORD_ARGUMENTS, .tid = record->tid};
	size_t copied;
	size_t size = functions_copy_arguments(function, launch->parameters, NULL,
					       row.argument_bytes, RECORD_PAYLOAD, &copied);
	if (!USUALLY(copied == size))
		record->flags |= RECORD_ARGUMENTS_CUT;
	if (!USUALLY(copied))
		return;
	(void)ring_append(&thread->ring, &row);
	record->launch.n_argument_rows = 1;
	record->launch.argument_bytes = (uint32_t)copied;
}

static void describe_kernel(struct thread *thread, const struct launch *launch,
			    struct journal_record *record)
{
	const struct function *function = functions_of(&thread->functions, launch->function);
	if (function) {
		record->launch.function = function->id;
		if (function->n_parameters || launch->extra)
			journal_arguments(thread, launch, function, record);
	}
}

/* What is alike for all. The numbers are given under the stream's lock. */
static inline void begin_record(struct call *call, struct journal_record *record)
{
	struct thread *thread = call->thread;
	ring_prefetch(&thread->ring);
	call->time_ns = tick_clock_ns(&thread->clock);
	*record = (struct journal_record){
		.kind = RECORD_SUBMISSION,
		.time_ns = call->time_ns,
		.tid = thread->tid,
		.call = call_name_again(&thread->call_name, call->id),
		.result = RESULT_PENDING,
	};
	record->stack = stack_capture(&thread->stacks, call->frame);
	if (nvtx_is_used() && nvtx_journal(&thread->ring, thread->tid))
		record->flags |= RECORD_IN_RANGES;
}

/*
 * Into a graph, not to the GPU: no number. The lock keeps other submissions away until the node is
 * known that came of this one.
 */
static COLD void journal_captured(struct call *call, struct journal_record *record)
{
	record->kind = RECORD_CAPTURED;
	record->stream = call->stream->id;
	record->sequence = sequence_newest();
	call->row = ring_append(&call->thread->ring, record);
	call->capturing = streams_lock(call->stream, call->thread->tid) ? call->stream : NULL;
	call->stream = NULL;
}

/* Another thread has the stream for longer than it may keep us: at the driver both are equal. */
static COLD void go_unordered(struct call *call, struct journal_record *record)
{
	record->progress.behind = streams_pass(call->stream);
	record->stream = call->stream->id;
	record->flags |= RECORD_UNORDERED;
	call->unordered = call->stream;
	call->stream = NULL;
}

/* Takes the stream's lock, where there is a stream, and writes the record with its numbers. */
static inline void submit(struct call *call, struct journal_record *record)
{
	struct stream *stream = call->stream;
	struct thread *thread = call->thread;
	if (stream && !streams_lock(stream, thread->tid)) {
		go_unordered(call, record);
	} else if (USUALLY(stream)) {
		call->ordinal = stream->row->submitted + 1;
		record->stream = stream->id;
		record->ordinal = call->ordinal;
	}
	record->sequence = sequence_next();
	call->row = ring_append(&thread->ring, record);
	if (!call->row)
		streams_note_lost();
}

static inline struct stream *stream_of(const struct call *call, CUstream handle)
{
	struct stream *stream = streams_again(&call->thread->streams, handle);
	if (USUALLY(stream))
		return stream;
	return streams_find(&call->thread->streams, handle,
			    driver_calls[call->id].is_default_per_thread);
}

HOT void launch_before(struct call *call)
{
	struct journal_record record;
	struct launch launch;
	begin_record(call, &record);
	describe_launch(call, &record, &launch);
	describe_kernel(call->thread, &launch, &record);
	if (USUALLY(!(record.flags & RECORD_UNORDERED)))
		call->stream = stream_of(call, launch.stream);
	if (call->stream && captures_stream(call->stream->handle))
		journal_captured(call, &record);
	else
		submit(call, &record);
}

void submission_before(struct call *call)
{
	struct journal_record record;
	begin_record(call, &record);
	describe_submission(call, &record);
	call->stream = stream_of(call, describe_stream(call));
	if (call->stream && captures_stream(call->stream->handle)) {
		journal_captured(call, &record);
		return;
	}
	if (record.work == WORK_GRAPH)
		graphs_launched((CUgraphExec)(uintptr_t)record.graph.handle, &record.graph);
	submit(call, &record);
}

/* A call that returns when its own work is done. */
static void follow_finished(const struct call *call)
{
	struct stream *stream = call->stream;
	streams_finished(stream->row, call->ordinal, call_name_id(call->id));
	progress_tracker_check(&stream->progress, call->ordinal);
}

static void accept(struct call *call)
{
	struct stream *stream = call->stream;
	/* Pairs with the acquire load in streams_submitted(). */
	__atomic_store_n(&stream->row->submitted, call->ordinal, __ATOMIC_RELEASE);
	bool is_told = progress_tracker_note(&stream->progress, call->ordinal, call->row);
	if (!USUALLY(!call->row || !(call->row->flags & RECORD_SYNCHRONOUS)))
		follow_finished(call);
	else
		markers_follow(stream, call->ordinal, call->time_ns, call->row, is_told);
}

/* Which node of the graph it became. */
static COLD void follow_captured(const struct call *call, CUresult result)
{
	const struct journal_record *row = call->row;
	if (result == CUDA_SUCCESS && row)
		graph_origins_captured(call->capturing->handle, row->stack);
	streams_unlock(call->capturing, call->thread->tid);
}

/* It went somewhere that we cannot number, or can only now. */
static COLD void accept_unordered(const struct call *call)
{
	struct stream *stream = call->unordered;
	uint32_t tid = call->thread->tid;
	uint64_t now_ns = tick_clock_ns(&call->thread->clock);
	uint64_t call_ns = now_ns > call->time_ns ? now_ns - call->time_ns : 0;
	if (!stream || !streams_lock_after(stream, tid, call_ns)) {
		streams_note_lost();
		return;
	}
	uint64_t ordinal = streams_number_late(stream, call->row);
	markers_follow(stream, ordinal, call->time_ns, call->row, false);
	streams_unlock(stream, tid);
}

/* Of a stream that is not locked, or of none, or into a graph. */
static COLD void settle_without_lock(struct call *call, CUresult result)
{
	bool is_captured = call->row && call->row->kind == RECORD_CAPTURED;
	if (call->unordered)
		streams_came_back(call->unordered);
	if (call->capturing)
		follow_captured(call, result);
	if (result == CUDA_SUCCESS && !is_captured)
		accept_unordered(call);
}

HOT void submission_after(struct call *call, CUresult result)
{
	if (call->row)
		__atomic_store_n(&call->row->result, (int32_t)result, __ATOMIC_RELEASE);
	if (!call->stream) {
		settle_without_lock(call, result);
		return;
	}
	if (USUALLY(result == CUDA_SUCCESS))
		accept(call);
	streams_unlock(call->stream, call->thread->tid);
}

void copy_before(struct call *call)
{
	submission_before(call);
	if (call->stream)
		streams_open(call->stream, call->thread->tid, call->row);
}

void copy_after(struct call *call, CUresult result)
{
	if (call->stream && !streams_close(call->stream, call->thread->tid, call->row)) {
		call->unordered = call->stream;
		call->stream = NULL;
	}
	submission_after(call, result);
}

void submission_refused(const struct call *call, CUresult result)
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
