/*
 * submission.c - numbering and journaling of work.
 */
#include "call/submission.h"

#include <assert.h>
#include <stddef.h>
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
#include "record/progress/progress_checks.h"
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
static HOT __attribute__((noinline)) void journal_long_arguments(const struct call *call,
								 const struct function *function,
								 struct launch *launch)
{
	unsigned char bytes[MAX_ARGUMENT_BYTES] = {0};
	size_t copied;
	size_t size = functions_copy_arguments(function, launch->parameters, launch->extra, bytes,
					       sizeof(bytes), &copied);
	if (copied < size) {
		launch->flags |= RECORD_ARGUMENTS_CUT;
		whole_arguments_keep(function, launch->parameters, launch->extra, call->thread->tid,
				     call->time_ns);
	}
	launch->n_argument_rows = append_arguments(call->thread, bytes, copied);
	launch->argument_bytes = (uint32_t)copied;
}

/* Writes the argument rows of a launch, and what its record is to say of them. */
static HOT __attribute__((noinline)) void
journal_arguments(const struct call *call, const struct function *function, struct launch *launch)
{
	if (function->size > RECORD_PAYLOAD || !launch->parameters) {
		journal_long_arguments(call, function, launch);
		return;
	}
	struct thread *thread = call->thread;
	struct journal_record *row = ring_begin(&thread->ring);
	*row = (struct journal_record){.kind = RECORD_ARGUMENTS, .tid = thread->tid};
	size_t copied;
	size_t size = functions_copy_arguments(function, launch->parameters, NULL,
					       row->argument_bytes, RECORD_PAYLOAD, &copied);
	if (!USUALLY(copied == size))
		launch->flags |= RECORD_ARGUMENTS_CUT;
	if (!USUALLY(copied))
		return;
	(void)ring_end(&thread->ring, row);
	launch->n_argument_rows = 1;
	launch->argument_bytes = (uint32_t)copied;
}

static inline void find_kernel(struct thread *thread, const struct call *call,
			       struct launch *launch)
{
	const struct function *function = functions_of(&thread->functions, launch->function);
	launch->id = launch->n_argument_rows = launch->argument_bytes = 0;
	if (!function)
		return;
	launch->id = function->id;
	if (function->n_parameters || launch->extra)
		journal_arguments(call, function, launch);
}

static inline void begin_call(struct thread *thread, struct call *call)
{
	ring_prefetch(&thread->ring);
	call->time_ns = tick_clock_ns(&thread->clock);
}

/* RECORD_IN_RANGES, if it is to have that. */
static inline uint16_t journal_ranges(struct thread *thread)
{
	bool is_in = nvtx_is_used() && nvtx_journal(&thread->ring, thread->tid);
	return is_in ? RECORD_IN_RANGES : 0;
}

/* What is alike for all. The numbers are given under the stream's lock. */
static void begin_record(struct call *call, struct journal_record *record)
{
	struct thread *thread = call->thread;
	begin_call(thread, call);
	*record = (struct journal_record){
		.kind = RECORD_SUBMISSION,
		.time_ns = call->time_ns,
		.tid = thread->tid,
		.call = call_name_again(&thread->call_name, call->id),
		.result = RESULT_PENDING,
	};
	record->stack = stack_capture(&thread->stacks, call->frame);
	record->flags = journal_ranges(thread);
}

static_assert(offsetof(struct record_launch, block) == offsetof(struct record_launch, grid) + 12,
	      "written as one array");

/*
 * The same of a launch, straight in its row: each of its bytes but for the commit, since what lies
 * there is old.
 */
static inline void write_launch(struct thread *thread, const struct call *call,
				const struct launch *launch, uint32_t stack,
				struct journal_record *row)
{
	row->sequence = 0;
	row->time_ns = call->time_ns;
	row->ordinal = 0;
	row->tid = thread->tid;
	row->stream = 0;
	row->stack = stack;
	row->result = RESULT_PENDING;
	row->call = call_name_again(&thread->call_name, call->id);
	row->kind = RECORD_SUBMISSION;
	row->work = WORK_KERNEL;
	row->flags = launch->flags;
	row->launch.function = launch->id;
	/* Both at once, as they lie: see IS_SHAPE() of describe.c. */
	memcpy((char *)&row->launch + offsetof(struct record_launch, grid), launch->shape,
	       sizeof(row->launch.grid) + sizeof(row->launch.block));
	memcpy(row->launch.cluster, launch->cluster, sizeof(row->launch.cluster));
	row->launch.n_argument_rows = (uint16_t)launch->n_argument_rows;
	row->launch.shared_bytes = launch->shape[LAUNCH_SHAPE - 1];
	row->launch.argument_bytes = launch->argument_bytes;
	memset(row->argument_bytes + sizeof(row->launch), 0, RECORD_PAYLOAD - sizeof(row->launch));
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
	call->row = ring_end(&call->thread->ring, record);
	call->capturing = streams_lock(call->stream, call->thread->tid) ? call->stream : NULL;
	call->stream = NULL;
}

/* Another thread has the stream for longer than it may keep us: at the driver both are equal. */
static COLD void step_aside(struct call *call)
{
	call->unordered = call->stream;
	call->stream = NULL;
}

static COLD void go_unordered(const struct call *call, struct journal_record *record)
{
	record->progress.behind = streams_pass(call->unordered);
	record->stream = call->unordered->id;
	record->flags |= RECORD_UNORDERED;
}

/* Ends the record with its numbers. The stream is locked. */
static inline void submit(struct thread *thread, struct call *call, struct journal_record *record)
{
	struct stream *stream = call->stream;
	if (USUALLY(stream)) {
		call->ordinal = stream->row->submitted + 1;
		record->stream = stream->id;
		record->ordinal = call->ordinal;
	} else if (call->unordered) {
		go_unordered(call, record);
	}
	record->sequence = sequence_next();
	call->row = ring_end(&thread->ring, record);
	if (!USUALLY(call->row))
		streams_note_lost();
}

static inline struct stream *find_stream(struct thread *thread, const struct call *call,
					 CUstream handle)
{
	return streams_find(&thread->streams, handle, driver_calls[call->id].is_default_per_thread);
}

/*
 * Not the explicit stream of the thread's last launch. Which of the two default ones a call means
 * is in its facts, which lie far away.
 */
static HOT __attribute__((noinline)) struct stream *
other_stream(struct thread *thread, const struct call *call, CUstream handle)
{
	bool may_be_legacy = call->id == CALL_cuLaunchKernel || call->id == CALL_cuLaunchKernelEx;
	struct stream *stream =
		!handle && may_be_legacy ? streams_legacy_again(&thread->streams) : NULL;
	return USUALLY(stream) ? stream : find_stream(thread, call, handle);
}

static inline struct stream *stream_of_launch(struct thread *thread, const struct call *call,
					      CUstream handle)
{
	struct stream *stream = streams_again(&thread->streams, handle);
	return USUALLY(stream) ? stream : other_stream(thread, call, handle);
}

static COLD void capture_launch(struct call *call, const struct launch *launch, uint32_t stack)
{
	struct journal_record *row = ring_begin(&call->thread->ring);
	write_launch(call->thread, call, launch, stack, row);
	journal_captured(call, row);
}

HOT void launch_before(struct call *call)
{
	struct thread *thread = call->thread;
	struct launch launch;
	begin_call(thread, call);
	uint32_t stack = stack_capture(&thread->stacks, call->frame);
	describe_launch(call, &launch);
	launch.flags |= journal_ranges(thread);
	find_kernel(thread, call, &launch);
	struct stream *stream = USUALLY(!(launch.flags & RECORD_UNORDERED))
					? stream_of_launch(thread, call, launch.stream)
					: NULL;
	call->stream = stream;
	if (USUALLY(stream)) {
		if (!USUALLY(!captures_stream(stream->handle))) {
			capture_launch(call, &launch, stack);
			return;
		}
		if (!USUALLY(streams_lock(stream, thread->tid)))
			step_aside(call);
	}
	/* No sooner: what may be waited for is behind us, and the driver's answers. */
	struct journal_record *row = ring_begin(&thread->ring);
	write_launch(thread, call, &launch, stack, row);
	submit(thread, call, row);
}

void submission_before(struct call *call)
{
	/* Many kinds, and nothing hot: it is copied to its row. */
	struct thread *thread = call->thread;
	struct journal_record *record = &thread->ring.draft;
	begin_record(call, record);
	describe_submission(call, record);
	call->stream = streams_of(&thread->streams, describe_stream(call),
				  driver_calls[call->id].is_default_per_thread);
	if (call->stream && captures_stream(call->stream->handle)) {
		journal_captured(call, record);
		return;
	}
	if (record->work == WORK_GRAPH)
		graphs_launched((CUgraphExec)(uintptr_t)record->graph.handle, &record->graph);
	if (call->stream && !streams_lock(call->stream, thread->tid))
		step_aside(call);
	submit(thread, call, record);
}

/* A call that returns when its own work is done. */
static __attribute__((noinline)) void follow_finished(const struct call *call,
						      struct stream *stream)
{
	streams_finished(stream->row, call->ordinal, call_name_id(call->id));
	progress_tracker_check(&stream->progress, call->ordinal);
}

static inline bool is_synchronous(const struct journal_record *row)
{
	return USUALLY(row) && row->flags & RECORD_SYNCHRONOUS;
}

static inline void accept(const struct call *call, struct stream *stream)
{
	/* Pairs with the acquire load in streams_submitted(). */
	__atomic_store_n(&stream->row->submitted, call->ordinal, __ATOMIC_RELEASE);
	bool is_told = progress_tracker_note(&stream->progress, call->ordinal, call->row);
	if (!USUALLY(is_told))
		streams_follow_again(stream);
	if (!USUALLY(!is_synchronous(call->row)))
		follow_finished(call, stream);
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
	if (is_synchronous(call->row) && call->row->work == WORK_COPY)
		return; /* It has been waited for, and is over. */
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
	struct stream *stream = call->stream;
	if (USUALLY(call->row))
		__atomic_store_n(&call->row->result, (int32_t)result, __ATOMIC_RELEASE);
	if (!USUALLY(stream)) {
		settle_without_lock(call, result);
		return;
	}
	if (USUALLY(result == CUDA_SUCCESS))
		accept(call, stream);
	streams_unlock(stream, call->thread->tid);
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
