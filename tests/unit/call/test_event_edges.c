/*
 * test_event_edges.c - the rows and points of events that are recorded and waited for, and the
 * calls after which events prove nothing. The recorder's maps and tables are simulated here.
 */
#include "call/call_parts.h"

#include "call/describe.h"
#include "record/driver/captures.h"
#include "record/fault/fault.h"
#include "record/host/clock.h"
#include "record/host/futex_lock.h"
#include "record/journal/call_names.h"
#include "record/journal/sequence.h"
#include "record/objects/code_addresses.h"
#include "record/objects/functions.h"
#include "record/streams/contexts.h"
#include "record/streams/events.h"
#include "record/streams/stream_lock.h"
#include "record/streams/stream_rows.h"
#include "record/thread.h"
#include "support/check.h"

uint32_t call_name_ids[N_DRIVER_CALLS];
uint32_t code_addresses_owed;
uint64_t functions_generation, sequence_word = 30, streams_generation;
int captures_under_way;

enum { TID = 40 };

static struct thread thread = {.tid = TID};
static struct stream_row row = {.submitted = 9};
static struct stream stream = {.id = 50, .row = &row, .handle = (CUstream)0x60};
static struct stream_row source;
static struct event_point known; /* the event's; stream 0: none */
static bool has_no_stream;

uint32_t call_name_discover(enum driver_call call)
{
	return (uint32_t)call + 1;
}

uint64_t clock_ns(void)
{
	return 70;
}

bool events_find(CUevent event, struct event_point *out_point)
{
	CHECK(event == (CUevent)0x80);
	*out_point = known;
	return known.stream != 0;
}

void events_recorded(CUevent event, struct event_point point)
{
	trace_add("%p is %u.%" PRIu64 "\n", (void *)event, point.stream, point.ordinal);
}

void events_forgotten(CUevent event)
{
	trace_add("%p is forgotten\n", (void *)event);
}

void events_distrust(void)
{
	trace_add("distrust\n");
}

struct stream_row *streams_row(uint32_t id)
{
	CHECK_EQUAL(id, known.stream);
	return id == 3 ? &source : &row;
}

uint32_t streams_id(const struct stream_row *of)
{
	return of == &source ? 3 : 50;
}

struct journal_record *ring_append(struct ring *ring, const struct journal_record *record)
{
	CHECK(ring == &thread.ring);
	CHECK_EQUAL(futex_lock_owner(&stream.lock), TID);
	CHECK_EQUAL(record->call, call_name_discover((enum driver_call)(record->call - 1)));
	CHECK_EQUAL(record->tid, TID);
	CHECK_EQUAL(record->sequence, 30);
	trace_add("%s: %s of %" PRIx64 " on %u.%" PRIu64 ", of %u.%" PRIu64 "\n",
		  driver_calls[record->call - 1].name,
		  record->kind == RECORD_EVENT_WAIT ? "wait" : "record", record->event.event,
		  record->stream, record->ordinal, record->event.source_stream,
		  record->event.source_ordinal);
	return NULL;
}

CUstream describe_stream(const struct call *call)
{
	CHECK(call->thread == &thread);
	return NULL;
}

struct stream *streams_find(struct stream_cache *cache, CUstream handle, bool is_default_per_thread)
{
	CHECK(cache == &thread.streams && !handle);
	if (is_default_per_thread)
		trace_add("own stream\n");
	return has_no_stream ? NULL : &stream;
}

bool captures_ask(CUstream handle)
{
	CHECK(handle == stream.handle);
	return true;
}

bool streams_lock_slowly(struct stream *of, uint32_t tid)
{
	CHECK(of == &stream && tid == TID);
	return false;
}

void futex_lock_release_slowly(struct futex_lock *lock, uint32_t owner)
{
	CHECK(!lock || !owner);
}

static struct args_cuEventRecordWithFlags record_args = {.hEvent = (CUevent)0x80};
static struct args_cuStreamWaitEvent wait_args = {.hEvent = (CUevent)0x80};

static void record(enum driver_call id, CUresult result)
{
	struct call call = {.id = id, .args = &record_args, .thread = &thread};
	synchronize_record_before(&call);
	CHECK_EQUAL(futex_lock_owner(&stream.lock) == TID, call.stream != NULL);
	synchronize_record_after(&call, result);
	CHECK(futex_lock_owner(&stream.lock) != TID);
	trace_add("-\n");
}

/* Let the event be recorded at `then` while the call is in the driver. */
static void wait_for(enum driver_call id, CUresult result, struct event_point then)
{
	struct call call = {.id = id, .args = &wait_args, .thread = &thread};
	synchronize_wait_before(&call);
	CHECK_EQUAL(futex_lock_owner(&stream.lock) == TID, call.stream != NULL);
	struct event_point before = known;
	known = then;
	synchronize_wait_after(&call, result);
	known = before;
	CHECK(futex_lock_owner(&stream.lock) != TID);
	trace_add("-\n");
}

/* Run what is the same for both: a stream that is not known, captures or is locked by another. */
static void without_stream(void (*run)(void))
{
	has_no_stream = true;
	run();
	has_no_stream = false;
	captures_under_way = 1;
	run();
	captures_under_way = 0;
	CHECK(futex_lock_try(&stream.lock, TID + 1));
	run();
	futex_lock_release(&stream.lock, TID + 1);
}

static void record_plainly(void)
{
	record(CALL_cuEventRecord, CUDA_SUCCESS);
	record(CALL_cuEventRecord, CUDA_ERROR_INVALID_VALUE);
}

static void test_records(void)
{
	record_plainly();
	record(CALL_cuEventRecord_ptsz, CUDA_SUCCESS);
	record_args.flags = CU_EVENT_RECORD_EXTERNAL;
	record(CALL_cuEventRecord, CUDA_SUCCESS); /* It has no flags. */
	record(CALL_cuEventRecordWithFlags, CUDA_SUCCESS);
	record_args.flags = 0;
	record(CALL_cuEventRecordWithFlags, CUDA_SUCCESS);
	CHECK_TRACE("0x80 is 50.9\n"
		    "cuEventRecord: record of 80 on 50.9, of 0.0\n"
		    "-\n"
		    "-\n"
		    "own stream\n"
		    "0x80 is 50.9\n"
		    "cuEventRecord_ptsz: record of 80 on 50.9, of 0.0\n"
		    "-\n"
		    "0x80 is 50.9\n"
		    "cuEventRecord: record of 80 on 50.9, of 0.0\n"
		    "-\n"
		    "distrust\n"
		    "0x80 is 50.9\n"
		    "cuEventRecordWithFlags: record of 80 on 50.9, of 0.0\n"
		    "-\n"
		    "0x80 is 50.9\n"
		    "cuEventRecordWithFlags: record of 80 on 50.9, of 0.0\n"
		    "-\n");
	without_stream(record_plainly);
	CHECK_TRACE("0x80 is forgotten\n"
		    "-\n"
		    "-\n"
		    "0x80 is forgotten\n"
		    "-\n"
		    "-\n"
		    "0x80 is forgotten\n"
		    "-\n"
		    "-\n");
}

static void wait_plainly(void)
{
	wait_for(CALL_cuStreamWaitEvent, CUDA_SUCCESS, known);
	wait_for(CALL_cuStreamWaitEvent, CUDA_ERROR_INVALID_VALUE, known);
}

/* There is an edge only if the event's point was the same before and after the call. */
static void test_waits(void)
{
	static const struct event_point points[] = {{3, 6}, {50, 5}, {0, 0}};
	known = (struct event_point){3, 5};
	wait_plainly();
	wait_for(CALL_cuStreamWaitEvent_ptsz, CUDA_SUCCESS, known);
	for (size_t i = 0; i < sizeof(points) / sizeof(*points); i++)
		wait_for(CALL_cuStreamWaitEvent, CUDA_SUCCESS, points[i]);
	CHECK_TRACE("cuStreamWaitEvent: wait of 80 on 50.9, of 3.5\n"
		    "-\n"
		    "-\n"
		    "own stream\n"
		    "cuStreamWaitEvent_ptsz: wait of 80 on 50.9, of 3.5\n"
		    "-\n"
		    "cuStreamWaitEvent: wait of 80 on 50.9, of 0.0\n"
		    "-\n"
		    "cuStreamWaitEvent: wait of 80 on 50.9, of 0.0\n"
		    "-\n"
		    "cuStreamWaitEvent: wait of 80 on 50.9, of 0.0\n"
		    "-\n");
	without_stream(wait_plainly);
	CHECK_TRACE("-\n-\n-\n-\n-\n-\n");
	known.stream = 0;
	wait_plainly();
	CHECK_TRACE("cuStreamWaitEvent: wait of 80 on 50.9, of 0.0\n"
		    "-\n"
		    "-\n");
}

static void distrust_after(enum driver_call id, CUgraphNodeType type)
{
	struct graph_node_params params = {.type = type};
	CUgraphNodeParams *generic = (CUgraphNodeParams *)(void *)&params;
	const struct args_cuGraphAddNode add = {.nodeParams = generic};
	const struct args_cuGraphAddNode_v2 add_v2 = {.nodeParams = generic};
	const struct args_cuGraphNodeSetParams set = {.nodeParams = generic};
	const struct args_cuGraphExecNodeSetParams set_exec = {.nodeParams = generic};
	struct call call = {.id = id, .thread = &thread};
	trace_add("%s: ", driver_calls[id].name);
	call.args = id == CALL_cuGraphAddNode             ? (const void *)&add
		    : id == CALL_cuGraphAddNode_v2        ? (const void *)&add_v2
		    : id == CALL_cuGraphNodeSetParams     ? (const void *)&set
		    : id == CALL_cuGraphExecNodeSetParams ? (const void *)&set_exec
							  : NULL;
	synchronize_graph_before(&call);
	trace_add("-\n");
}

/* Graphs with such a node record the event unseen. */
static void test_graphs(void)
{
	static const enum driver_call ids[] = {
		CALL_cuGraphAddNode, CALL_cuGraphAddNode_v2, CALL_cuGraphNodeSetParams,
		CALL_cuGraphExecNodeSetParams, CALL_cuGraphAddEventRecordNode};
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		distrust_after(ids[i], CU_GRAPH_NODE_TYPE_EVENT_RECORD);
		distrust_after(ids[i], CU_GRAPH_NODE_TYPE_KERNEL);
	}
	const struct args_cuGraphNodeSetParams set = {0};
	struct call call = {.id = CALL_cuGraphNodeSetParams, .args = &set};
	synchronize_graph_before(&call); /* The driver will refuse it. */
	CHECK_TRACE("cuGraphAddNode: distrust\n"
		    "-\n"
		    "cuGraphAddNode: -\n"
		    "cuGraphAddNode_v2: distrust\n"
		    "-\n"
		    "cuGraphAddNode_v2: -\n"
		    "cuGraphNodeSetParams: distrust\n"
		    "-\n"
		    "cuGraphNodeSetParams: -\n"
		    "cuGraphExecNodeSetParams: distrust\n"
		    "-\n"
		    "cuGraphExecNodeSetParams: -\n"
		    "cuGraphAddEventRecordNode: distrust\n"
		    "-\n"
		    "cuGraphAddEventRecordNode: distrust\n"
		    "-\n");
}

int main(void)
{
	test_records();
	test_waits();
	test_graphs();
	return 0;
}
