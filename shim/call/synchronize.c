/*
 * synchronize.c - proof of finished work, and edges between streams.
 */
#include "synchronize.h"

#include <stddef.h>

#include "call_names.h"
#include "captures.h"
#include "clock.h"
#include "describe.h"
#include "events.h"
#include "stack.h"
#include "streams.h"
#include "submission.h"
#include "sync_points.h"
#include "thread.h"

#define ARGUMENTS(call, name) ((const struct args_##name *)(call)->args)

/* A record of this call about `stream` up to `ordinal`. */
static struct journal_record make_record(const struct call *call, enum record_kind kind,
					 uint32_t stream, uint64_t ordinal)
{
	return (struct journal_record){
		.kind = (uint8_t)kind,
		.sequence = submission_newest(),
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
	const struct stream *stream =
		streams_of(call->thread, describe_stream(call), is_per_thread);
	if (!stream)
		return (struct progress_point){0};
	return (struct progress_point){.row = stream->row, .ordinal = streams_submitted(stream)};
}

static struct progress_point point_of_event(CUevent event)
{
	struct event_point point;
	if (!events_find(event, &point))
		return (struct progress_point){0};
	return (struct progress_point){.row = streams_row(point.stream), .ordinal = point.ordinal};
}

static CUevent event_of(const struct call *call)
{
	switch (driver_calls[call->id].family) {
	case CALL_cuEventSynchronize:
		return ARGUMENTS(call, cuEventSynchronize)->hEvent;
	case CALL_cuEventQuery:
		return ARGUMENTS(call, cuEventQuery)->hEvent;
	default:
		return NULL;
	}
}

static bool is_context_sync(const struct call *call)
{
	enum driver_call family = driver_calls[call->id].family;
	return family == CALL_cuCtxSynchronize || family == CALL_cuCtxSynchronize_v2;
}

static struct context *context_of(const struct call *call)
{
	if (driver_calls[call->id].family == CALL_cuCtxSynchronize_v2 &&
	    ARGUMENTS(call, cuCtxSynchronize_v2)->ctx)
		return contexts_of(ARGUMENTS(call, cuCtxSynchronize_v2)->ctx);
	return contexts_current();
}

void synchronize_before(struct call *call)
{
	CUevent event = event_of(call);
	if (is_context_sync(call))
		sync_points_take(&call->thread->sync_points, context_of(call));
	else if (event)
		call->point = point_of_event(event);
	else if (driver_calls[call->id].stream_offset != NO_STREAM_ARGUMENT)
		call->point = point_of_stream(call);
}

/* An event that was recorded anew while we waited need not have meant the old point. */
static bool is_same_point(const struct call *call)
{
	CUevent event = event_of(call);
	if (!event)
		return true;
	struct progress_point now = point_of_event(event);
	return now.row == call->point.row && now.ordinal == call->point.ordinal;
}

/* Polling would flood the ring with queries: what they prove is in the streams table alone. */
static void journal_sync(const struct call *call)
{
	uint32_t stream = call->point.row ? streams_id(call->point.row) : 0;
	struct journal_record record = make_record(call, RECORD_SYNC, stream, call->point.ordinal);
	if (driver_calls[call->id].role == ROLE_SYNC)
		(void)ring_append(&call->thread->ring, &record);
}

void synchronize_after(struct call *call, CUresult result)
{
	if (result != CUDA_SUCCESS)
		return;
	uint32_t name = call_name_id(call->id);
	if (is_context_sync(call))
		sync_points_finished(&call->thread->sync_points, name);
	else if (call->point.row && is_same_point(call))
		streams_finished(call->point.row, call->point.ordinal, name);
	else
		return;
	journal_sync(call);
}

static CUevent recorded_event(const struct call *call)
{
	switch (driver_calls[call->id].family) {
	case CALL_cuEventRecord:
		return ARGUMENTS(call, cuEventRecord)->hEvent;
	case CALL_cuEventRecordWithFlags:
		return ARGUMENTS(call, cuEventRecordWithFlags)->hEvent;
	case CALL_cuCtxRecordEvent:
		return ARGUMENTS(call, cuCtxRecordEvent)->hEvent;
	case CALL_cuGreenCtxRecordEvent:
		return ARGUMENTS(call, cuGreenCtxRecordEvent)->hEvent;
	default:
		return NULL;
	}
}

/* The stream of an event call, locked; NULL if it has none of its own or is capturing. */
static struct stream *lock_stream(const struct call *call)
{
	if (driver_calls[call->id].stream_offset == NO_STREAM_ARGUMENT)
		return NULL;
	bool is_per_thread = driver_calls[call->id].is_default_per_thread;
	struct stream *stream = streams_of(call->thread, describe_stream(call), is_per_thread);
	if (!stream || captures_stream(stream->handle) || !streams_lock(stream))
		return NULL;
	return stream;
}

/* In a capture with this flag the record becomes a node, and the graph's launches record it. */
static bool is_for_a_graph(const struct call *call)
{
	return driver_calls[call->id].family == CALL_cuEventRecordWithFlags &&
	       ARGUMENTS(call, cuEventRecordWithFlags)->flags & CU_EVENT_RECORD_EXTERNAL;
}

void event_record_before(struct call *call)
{
	if (is_for_a_graph(call))
		events_distrust();
	call->stream = lock_stream(call);
}

void event_record_after(struct call *call, CUresult result)
{
	CUevent event = recorded_event(call);
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
	streams_unlock(stream);
}

static bool is_event_node(const CUgraphNodeParams *params)
{
	return params && params->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD;
}

void graph_event_before(struct call *call)
{
	bool records = true;
	switch (driver_calls[call->id].family) {
	case CALL_cuGraphAddNode:
		records = is_event_node(ARGUMENTS(call, cuGraphAddNode)->nodeParams);
		break;
	case CALL_cuGraphAddNode_v2:
		records = is_event_node(ARGUMENTS(call, cuGraphAddNode_v2)->nodeParams);
		break;
	case CALL_cuGraphNodeSetParams:
		records = is_event_node(ARGUMENTS(call, cuGraphNodeSetParams)->nodeParams);
		break;
	case CALL_cuGraphExecNodeSetParams:
		records = is_event_node(ARGUMENTS(call, cuGraphExecNodeSetParams)->nodeParams);
		break;
	default:
		break;
	}
	if (records)
		events_distrust();
}

void event_wait_before(struct call *call)
{
	call->stream = lock_stream(call);
	if (call->stream)
		call->point = point_of_event(ARGUMENTS(call, cuStreamWaitEvent)->hEvent);
}

static void journal_wait(const struct call *call, CUevent event)
{
	const struct stream *stream = call->stream;
	struct progress_point now = point_of_event(event);
	struct journal_record record =
		make_record(call, RECORD_EVENT_WAIT, stream->id, stream->row->submitted);
	record.event.event = (uintptr_t)event;
	/* Recorded anew meanwhile: which point the driver took is not known, so there is no edge.
	 */
	if (now.row && now.row == call->point.row && now.ordinal == call->point.ordinal) {
		record.event.source_stream = streams_id(now.row);
		record.event.source_ordinal = now.ordinal;
	}
	(void)ring_append(&call->thread->ring, &record);
}

void event_wait_after(struct call *call, CUresult result)
{
	if (!call->stream)
		return;
	if (result == CUDA_SUCCESS)
		journal_wait(call, ARGUMENTS(call, cuStreamWaitEvent)->hEvent);
	streams_unlock(call->stream);
}
