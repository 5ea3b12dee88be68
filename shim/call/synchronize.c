/*
 * synchronize.c - prove work finished, and record edges between streams.
 */
#include "call/call_parts.h"

#include <stddef.h>

#include "call/describe.h"
#include "record/driver/captures.h"
#include "record/fault/fault.h"
#include "record/host/clock.h"
#include "record/journal/call_names.h"
#include "record/journal/sequence.h"
#include "record/objects/code_addresses.h"
#include "record/objects/functions.h"
#include "record/progress/progress_tracker.h"
#include "record/stacks/stack.h"
#include "record/streams/contexts.h"
#include "record/streams/events.h"
#include "record/streams/stream_lock.h"
#include "record/streams/stream_rows.h"
#include "record/streams/streams.h"
#include "record/streams/sync_points.h"
#include "record/thread.h"

/* Make a record of this call about `stream` up to `ordinal`. */
static struct journal_record make_record(const struct call *call, enum record_kind kind,
					 uint32_t stream, uint64_t ordinal)
{
	return (struct journal_record){
		.kind = (uint8_t)kind,
		.sequence = sequence_newest(),
		.time_ns = clock_ns(),
		.ordinal = ordinal,
		.tid = call->thread->tid,
		.stream = stream,
		.call = call_name_id(call->id),
		.result = CUDA_SUCCESS,
	};
}

static struct progress_point point_of_stream(const struct call *call)
{
	bool is_per_thread = driver_calls[call->id].is_default_per_thread;
	struct stream *stream =
		streams_of(&call->thread->streams, describe_stream(call), is_per_thread);
	if (!stream)
		return (struct progress_point){0};
	return (struct progress_point){.row = stream->row,
				       .ordinal = streams_submitted(stream),
				       .tracker = &stream->progress};
}

static struct progress_point point_of_event(CUevent event)
{
	struct event_point point;
	if (!events_find(event, &point))
		return (struct progress_point){0};
	return (struct progress_point){.row = streams_row(point.stream), .ordinal = point.ordinal};
}

static bool is_context_sync(const struct call *call)
{
	enum driver_call family = call_family(call);
	return family == CALL_cuCtxSynchronize || family == CALL_cuCtxSynchronize_v2;
}

static struct context *context_of(const struct call *call)
{
	if (call_family(call) == CALL_cuCtxSynchronize_v2 &&
	    CALL_ARGUMENTS(call, cuCtxSynchronize_v2)->ctx)
		return contexts_of(CALL_ARGUMENTS(call, cuCtxSynchronize_v2)->ctx);
	return contexts_current();
}

void synchronize_before(struct call *call)
{
	CUevent event = call_event(call);
	/* A query must not wait, as the driver may if it is asked. */
	if (code_addresses_are_owed() && driver_calls[call->id].role == ROLE_SYNC)
		code_addresses_ask(functions_generation_now());
	if (is_context_sync(call))
		sync_points_take(&call->thread->sync_points, context_of(call));
	else if (event)
		call->point = point_of_event(event);
	else if (driver_calls[call->id].stream_offset != NO_STREAM_ARGUMENT)
		call->point = point_of_stream(call);
}

/* False if the event was recorded anew while we waited: the wait may have meant either point. */
static bool is_same_point(const struct call *call)
{
	CUevent event = call_event(call);
	if (!event)
		return true;
	struct progress_point now = point_of_event(event);
	return now.row == call->point.row && now.ordinal == call->point.ordinal;
}

/* Journal syncs only: polling would flood the ring. Queries just update the streams table. */
static void journal_sync(const struct call *call)
{
	uint32_t stream = call->point.row ? streams_id(call->point.row) : 0;
	struct journal_record record = make_record(call, RECORD_SYNC, stream, call->point.ordinal);
	if (driver_calls[call->id].role == ROLE_SYNC)
		(void)ring_append(&call->thread->ring, &record);
}

/* Note finished work. It has also started, so check the driver's progress counter against it. */
static void finish_point(const struct progress_point *point, uint32_t call)
{
	streams_finished(point->row, point->ordinal, call);
	if (point->tracker)
		progress_tracker_check(point->tracker, point->ordinal);
}

void synchronize_after(struct call *call, CUresult result)
{
	if (result != CUDA_SUCCESS)
		return;
	if (driver_calls[call->id].role == ROLE_SYNC)
		fault_work_finished();
	uint32_t name = call_name_id(call->id);
	if (is_context_sync(call))
		sync_points_finished(&call->thread->sync_points, name);
	else if (call->point.row && is_same_point(call))
		finish_point(&call->point, name);
	else
		return;
	journal_sync(call);
}

/* Lock and return an event call's stream; NULL if it names no stream or is capturing. */
static struct stream *lock_stream(const struct call *call)
{
	if (driver_calls[call->id].stream_offset == NO_STREAM_ARGUMENT)
		return NULL;
	bool is_per_thread = driver_calls[call->id].is_default_per_thread;
	struct stream *stream =
		streams_of(&call->thread->streams, describe_stream(call), is_per_thread);
	if (!stream || captures_stream(stream->handle) || !streams_lock(stream, call->thread->tid))
		return NULL;
	return stream;
}

/* In a capture, this flag makes the record a node, so the graph's launches record the event. */
static bool is_for_a_graph(const struct call *call)
{
	return call_family(call) == CALL_cuEventRecordWithFlags &&
	       CALL_ARGUMENTS(call, cuEventRecordWithFlags)->flags & CU_EVENT_RECORD_EXTERNAL;
}

void synchronize_record_before(struct call *call)
{
	if (is_for_a_graph(call))
		events_distrust();
	call->stream = lock_stream(call);
}

void synchronize_record_after(struct call *call, CUresult result)
{
	CUevent event = call_event(call);
	struct stream *stream = call->stream;
	if (result == CUDA_SUCCESS && !stream)
		events_forgotten(event);
	if (!stream)
		return;
	if (result == CUDA_SUCCESS) {
		struct event_point point = {.stream = stream->id,
					    .ordinal = stream->row->submitted};
		events_recorded(event, point);
		struct journal_record record =
			make_record(call, RECORD_EVENT_RECORD, point.stream, point.ordinal);
		record.event.event = (uintptr_t)event;
		(void)ring_append(&call->thread->ring, &record);
	}
	streams_unlock(stream, call->thread->tid);
}

static bool is_event_node(const CUgraphNodeParams *params)
{
	const struct graph_node_params *readable = (const struct graph_node_params *)params;
	return params && readable->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD;
}

void synchronize_graph_before(struct call *call)
{
	bool records = true;
	switch (call_family(call)) {
	case CALL_cuGraphAddNode:
		records = is_event_node(CALL_ARGUMENTS(call, cuGraphAddNode)->nodeParams);
		break;
	case CALL_cuGraphAddNode_v2:
	case CALL_cuGraphAddNode_v3:
		records = is_event_node(CALL_ARGUMENTS(call, cuGraphAddNode_v2)->nodeParams);
		break;
	case CALL_cuGraphNodeSetParams:
	case CALL_cuGraphNodeSetParams_v2:
		records = is_event_node(CALL_ARGUMENTS(call, cuGraphNodeSetParams)->nodeParams);
		break;
	case CALL_cuGraphExecNodeSetParams:
		records = is_event_node(CALL_ARGUMENTS(call, cuGraphExecNodeSetParams)->nodeParams);
		break;
	default:
		break;
	}
	if (records)
		events_distrust();
}

void synchronize_wait_before(struct call *call)
{
	call->stream = lock_stream(call);
	if (call->stream)
		call->point = point_of_event(call_event(call));
}

static void journal_wait(const struct call *call, CUevent event)
{
	const struct stream *stream = call->stream;
	struct progress_point now = point_of_event(event);
	struct journal_record record =
		make_record(call, RECORD_EVENT_WAIT, stream->id, stream->row->submitted);
	record.event.event = (uintptr_t)event;
	/* If the event was recorded anew meanwhile, the driver's point is unknown: no edge. */
	if (now.row && now.row == call->point.row && now.ordinal == call->point.ordinal) {
		record.event.source_stream = streams_id(now.row);
		record.event.source_ordinal = now.ordinal;
	}
	(void)ring_append(&call->thread->ring, &record);
}

void synchronize_wait_after(struct call *call, CUresult result)
{
	if (!call->stream)
		return;
	if (result == CUDA_SUCCESS)
		journal_wait(call, call_event(call));
	streams_unlock(call->stream, call->thread->tid);
}
