/*
 * test_synchronize.c - what a wait proves finished, and what it must not: an event may be recorded
 * again meanwhile. The recorder's maps and tables are simulated here.
 */
#include "call/call_parts.h"

#include "call/describe.h"
#include "record/fault/fault.h"
#include "record/host/clock.h"
#include "record/journal/call_names.h"
#include "record/journal/sequence.h"
#include "record/objects/code_addresses.h"
#include "record/objects/functions.h"
#include "record/progress/progress_tracker.h"
#include "record/streams/contexts.h"
#include "record/streams/events.h"
#include "record/streams/stream_rows.h"
#include "record/streams/streams.h"
#include "record/streams/sync_points.h"
#include "support/check.h"

uint32_t call_name_ids[N_DRIVER_CALLS];
uint32_t code_addresses_owed;
uint64_t functions_generation, sequence_word, streams_generation;

static struct stream_row rows[3]; /* by id */
static struct stream stream = {.row = &rows[2]};
static const struct event_point never;
static struct event_point recorded;
static struct {
	const struct stream_row *row;
	uint64_t ordinal;
	uint32_t n, n_checked, n_journaled;
} finished;
static uint32_t n_points_taken, n_points_finished, n_asked;

uint32_t call_name_discover(enum driver_call call)
{
	return (uint32_t)call + 1;
}

uint64_t clock_ns(void)
{
	return 1;
}

bool events_find(CUevent event, struct event_point *out_point)
{
	CHECK(event);
	*out_point = recorded;
	return recorded.stream != 0;
}

struct stream_row *streams_row(uint32_t id)
{
	return &rows[id];
}

uint32_t streams_id(const struct stream_row *row)
{
	return (uint32_t)(row - rows);
}

void streams_finished(struct stream_row *row, uint64_t ordinal, uint32_t call)
{
	CHECK(call);
	finished.row = row;
	finished.ordinal = ordinal;
	finished.n++;
}

struct journal_record *ring_append(struct ring *ring, const struct journal_record *record)
{
	(void)ring;
	CHECK_EQUAL(record->kind, RECORD_SYNC);
	CHECK_EQUAL(record->stream, streams_id(finished.row));
	CHECK_EQUAL(record->ordinal, finished.ordinal);
	finished.n_journaled++;
	return NULL;
}

CUstream describe_stream(const struct call *call)
{
	CHECK_EQUAL(call->id, CALL_cuStreamSynchronize);
	return NULL;
}

struct stream *streams_find(struct stream_cache *cache, CUstream handle, bool is_default_per_thread)
{
	CHECK(cache && !handle && !is_default_per_thread);
	return &stream;
}

uint64_t streams_submitted(const struct stream *of)
{
	CHECK(of == &stream);
	return 7;
}

void progress_tracker_check(struct progress_tracker *tracker, uint64_t ordinal)
{
	CHECK(tracker == &stream.progress);
	CHECK_EQUAL(ordinal, finished.ordinal);
	finished.n_checked++;
}

static struct context current, other;
static const struct context *taken; /* its work was noted before the call */

struct context *contexts_current(void)
{
	return &current;
}

struct context *contexts_of(CUcontext handle)
{
	CHECK(handle == (CUcontext)&other);
	return &other;
}

void sync_points_take(struct sync_points *points, struct context *context)
{
	CHECK(points);
	taken = context;
	n_points_taken++;
}

void sync_points_finished(struct sync_points *points, uint32_t call)
{
	CHECK(points && call);
	n_points_finished++;
}

static uint32_t n_work_finished;

void fault_work_finished(void)
{
	n_work_finished++;
}

void code_addresses_ask(uint64_t generation)
{
	CHECK_EQUAL(generation, functions_generation);
	n_asked++;
}

/* Wait for an event, which is recorded at `then` meanwhile. Returns how much that finished. */
static uint32_t wait_for(enum driver_call id, struct event_point before, struct event_point then,
			 CUresult result)
{
	static struct thread thread;
	const struct args_cuEventSynchronize args = {.hEvent = (CUevent)&rows};
	struct call call = {.id = id, .args = &args, .thread = &thread};
	memset(&finished, 0, sizeof(finished));
	finished.row = &rows[0];
	recorded = before;
	synchronize_before(&call);
	recorded = then;
	synchronize_after(&call, result);
	return finished.n;
}

static void test_finished(void)
{
	const struct event_point point = {1, 5};
	CHECK_EQUAL(wait_for(CALL_cuEventSynchronize, point, point, CUDA_SUCCESS), 1);
	CHECK(finished.row == &rows[1]);
	CHECK_EQUAL(finished.ordinal, 5);
	CHECK_EQUAL(finished.n_journaled, 1);
	CHECK_EQUAL(n_work_finished, 1);
	/* Polling would flood the ring. */
	CHECK_EQUAL(wait_for(CALL_cuEventQuery, point, point, CUDA_SUCCESS), 1);
	CHECK_EQUAL(finished.n_journaled, 0);
	CHECK_EQUAL(n_work_finished, 1);
}

static void test_not_finished(void)
{
	const struct event_point point = {1, 5};
	CHECK_EQUAL(wait_for(CALL_cuEventQuery, point, point, CUDA_ERROR_NOT_READY), 0);
	CHECK_EQUAL(wait_for(CALL_cuEventSynchronize, never, never, CUDA_SUCCESS), 0);
}

/* The wait may have meant either point. */
static void test_recorded_again(void)
{
	const struct event_point point = {1, 5};
	const struct event_point others[] = {{1, 6}, {2, 5}, {0, 0}};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		CHECK_EQUAL(wait_for(CALL_cuEventSynchronize, point, others[i], CUDA_SUCCESS), 0);
		CHECK_EQUAL(finished.n_journaled, 0);
	}
}

/* All that was submitted before the call has finished. */
static void test_stream(void)
{
	CHECK_EQUAL(wait_for(CALL_cuStreamSynchronize, never, never, CUDA_SUCCESS), 1);
	CHECK(finished.row == &rows[2]);
	CHECK_EQUAL(finished.ordinal, 7);
	CHECK_EQUAL(finished.n_checked, 1);
	CHECK_EQUAL(finished.n_journaled, 1);
}

static void test_context(void)
{
	CHECK_EQUAL(wait_for(CALL_cuCtxSynchronize, never, never, CUDA_ERROR_ILLEGAL_ADDRESS), 0);
	CHECK_EQUAL(n_points_finished, 0);
	CHECK_EQUAL(wait_for(CALL_cuCtxSynchronize, never, never, CUDA_SUCCESS), 0);
	CHECK_EQUAL(n_points_taken, 2);
	CHECK_EQUAL(n_points_finished, 1);
	CHECK_EQUAL(finished.n_journaled, 1);
}

/* The call of CUDA 13 names the context, or means the current one. */
static void test_context_of_call(void)
{
	static struct thread thread;
	struct args_cuCtxSynchronize_v2 args = {.ctx = (CUcontext)&other};
	struct call call = {.id = CALL_cuCtxSynchronize_v2, .args = &args, .thread = &thread};
	synchronize_before(&call);
	CHECK(taken == &other);
	args.ctx = NULL;
	synchronize_before(&call);
	CHECK(taken == &current);
	call.id = CALL_cuCtxSynchronize;
	args.ctx = (CUcontext)&other; /* which that call does not have */
	synchronize_before(&call);
	CHECK(taken == &current);
}

/* A query must not wait, as the driver may if it is asked. */
static void test_queries_do_not_ask(void)
{
	code_addresses_owed = 1;
	n_asked = 0;
	(void)wait_for(CALL_cuEventQuery, never, never, CUDA_SUCCESS);
	CHECK_EQUAL(n_asked, 0);
	(void)wait_for(CALL_cuEventSynchronize, never, never, CUDA_SUCCESS);
	CHECK_EQUAL(n_asked, 1);
}

int main(void)
{
	test_finished();
	test_not_finished();
	test_recorded_again();
	test_stream();
	test_context();
	test_context_of_call();
	test_queries_do_not_ask();
	return 0;
}
