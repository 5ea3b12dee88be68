/*
 * submission.c - numbering and journaling of work.
 */
#include "submission.h"

#include <string.h>

#include "call_names.h"
#include "captures.h"
#include "describe.h"
#include "events.h"
#include "functions.h"
#include "graph_origins.h"
#include "graphs.h"
#include "hot.h"
#include "markers.h"
#include "nvtx_journal.h"
#include "stack.h"
#include "streams.h"
#include "thread.h"

/*
 * Argument bytes kept of one launch: two rows of the ring. Pointers and sizes stand first in the
 * usual kernel; eight rows made a launch of PyTorch 1.3 us dearer (H200 host), because so many
 * stores to memory that is in no cache fill the processor's store buffer.
 */
enum { MAX_ARGUMENT_BYTES = 2 * RECORD_PAYLOAD };

static uint64_t newest; /* atomic */

uint64_t submission_newest(void)
{
	return __atomic_load_n(&newest, __ATOMIC_RELAXED);
}

static void append_arguments(struct thread *thread, const unsigned char *bytes, size_t size)
{
	for (size_t at = 0; at < size; at += RECORD_PAYLOAD) {
		struct journal_record record = {.kind = RECORD_ARGUMENTS, .tid = thread->tid};
		size_t left = size - at;
		memcpy(record.argument_bytes, bytes + at,
		       left < RECORD_PAYLOAD ? left : RECORD_PAYLOAD);
		(void)ring_append(&thread->ring, &record);
	}
}

/* Writes the argument rows of a launch, and what its record says of them. */
static void journal_arguments(struct thread *thread, const struct launch *launch,
			      const struct function *function, struct journal_record *record)
{
	unsigned char bytes[MAX_ARGUMENT_BYTES];
	size_t copied;
	size_t size = functions_copy_arguments(function, launch->parameters, launch->extra, bytes,
					       sizeof(bytes), &copied);
	if (copied < size)
		record->flags |= RECORD_ARGUMENTS_CUT;
	append_arguments(thread, bytes, copied);
	record->launch.argument_bytes = (uint32_t)copied;
	record->launch.n_argument_rows = (uint16_t)((copied + RECORD_PAYLOAD - 1) / RECORD_PAYLOAD);
}

static void describe_kernel(struct thread *thread, const struct launch *launch,
			    struct journal_record *record)
{
	const struct function *function = functions_of(thread, launch->function);
	if (function) {
		record->launch.function = function->id;
		journal_arguments(thread, launch, function, record);
	}
	for (int i = 0; i < 2; i++) {
		if (launch->events[i])
			events_forgotten(launch->events[i]);
	}
}

/* Everything but the numbers, which are given under the stream's lock. */
static void describe(struct call *call, struct journal_record *record)
{
	struct launch launch;
	*record = (struct journal_record){
		.kind = RECORD_SUBMISSION,
		.time_ns = call->time_ns,
		.tid = call->thread->tid,
		.call = call_name_id(call->id),
		.result = RESULT_PENDING,
	};
	record->stack = stack_capture(call->thread, call->frame);
	if (nvtx_journal(call->thread))
		record->flags |= RECORD_IN_RANGES;
	describe_submission(call, record, &launch);
	if (record->work == WORK_KERNEL)
		describe_kernel(call->thread, &launch, record);
}

/*
 * Into a graph, not to the GPU: no number. The lock keeps other submissions away until the node is
 * known that came of this one.
 */
static COLD void journal_captured(struct call *call, struct journal_record *record)
{
	record->kind = RECORD_CAPTURED;
	record->stream = call->stream->id;
	record->sequence = submission_newest();
	call->row = ring_append(&call->thread->ring, record);
	call->capturing = streams_lock(call->stream) ? call->stream : NULL;
	call->stream = NULL;
}

HOT void submission_before(struct call *call)
{
	bool is_per_thread = driver_calls[call->id].is_default_per_thread;
	ring_prefetch(&call->thread->ring);
	call->time_ns = tick_clock_ns(&call->thread->clock);
	call->stream = streams_of(call->thread, describe_stream(call), is_per_thread);
	struct journal_record record;
	describe(call, &record);
	if (record.flags & RECORD_UNORDERED)
		call->stream = NULL;
	if (call->stream && captures_stream(call->stream->handle)) {
		journal_captured(call, &record);
		return;
	}
	if (record.work == WORK_GRAPH)
		graphs_launched((CUgraphExec)(uintptr_t)record.graph.handle, &record.graph);
	if (call->stream && !streams_lock(call->stream))
		call->stream = NULL;
	if (call->stream) {
		call->ordinal = call->stream->row->submitted + 1;
		record.stream = call->stream->id;
		record.ordinal = call->ordinal;
	}
	record.sequence = __atomic_add_fetch(&newest, 1, __ATOMIC_RELAXED);
	call->row = ring_append(&call->thread->ring, &record);
	if (!call->row)
		streams_note_lost();
}

static void accept(struct call *call)
{
	struct stream *stream = call->stream;
	/* Pairs with the acquire load in streams_submitted(). */
	__atomic_store_n(&stream->row->submitted, call->ordinal, __ATOMIC_RELEASE);
	if (call->row && call->row->flags & RECORD_SYNCHRONOUS)
		streams_finished(stream->row, call->ordinal, call_name_id(call->id));
	else
		markers_follow(stream, call->ordinal, call->time_ns, call->row);
}

/* Which node of the graph it became. */
static COLD void follow_captured(const struct call *call, CUresult result)
{
	const struct journal_record *row = call->row;
	if (result == CUDA_SUCCESS && row)
		graph_origins_captured(call->capturing->handle, row->stack);
	streams_unlock(call->capturing);
}

HOT void submission_after(struct call *call, CUresult result)
{
	bool is_captured = call->row && call->row->kind == RECORD_CAPTURED;
	if (call->row)
		__atomic_store_n(&call->row->result, (int32_t)result, __ATOMIC_RELEASE);
	if (call->capturing)
		follow_captured(call, result);
	if (!call->stream) {
		/* It went somewhere that we cannot number. */
		if (result == CUDA_SUCCESS && !is_captured)
			streams_note_lost();
		return;
	}
	if (result == CUDA_SUCCESS)
		accept(call);
	streams_unlock(call->stream);
}
