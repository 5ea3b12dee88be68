/*
 * test_submission.c - work of all kinds except kernels: its row, its numbers, its stream's lock,
 * and what is noted when the driver has accepted or refused it.
 */
#include "call/submission.h"

#include "call/describe.h"
#include "launch/submit_stubs.h"
#include "record/graphs/graph_origins.h"
#include "record/graphs/graphs.h"
#include "record/stacks/stack.h"
#include "record/streams/streams.h"
#include "support/check.h"

#define REFUSED CUDA_ERROR_INVALID_VALUE

static uint8_t work;
static uint16_t own_flags; /* of the record, by its description */

uint32_t stack_capture(struct stack_cache *cache, const void *frame)
{
	CHECK(cache == &submit_thread.stacks && frame == &work);
	return 21;
}

void describe_submission(const struct call *call, struct journal_record *record)
{
	CHECK(call->thread == &submit_thread);
	record->work = work;
	record->flags |= own_flags;
	if (work == WORK_GRAPH)
		record->graph.handle = 0x66;
	else
		record->memory.bytes = 5;
}

CUstream describe_stream(const struct call *call)
{
	CHECK(call->thread == &submit_thread);
	return (CUstream)0x55;
}

void graphs_launched(CUgraphExec exec, struct record_graph *out)
{
	trace_add("graph %x launched\n", (unsigned)(uintptr_t)exec);
	out->replay = 2;
}

void graphs_refused(CUgraphExec exec)
{
	trace_add("graph %x refused\n", (unsigned)(uintptr_t)exec);
}

void graph_origins_captured(CUstream stream, uint32_t stack)
{
	CHECK_EQUAL(submit_stream.lock.state, SUBMIT_TID);
	trace_add("origin of %x is %u\n", (unsigned)(uintptr_t)stream, stack);
}

void streams_came_back(struct stream *stream)
{
	CHECK(stream == &submit_stream);
	trace_add("came back\n");
}

void streams_owe_number(struct stream_cache *cache, uint32_t tid, struct stream *stream,
			struct journal_record *row, struct file_header *ring)
{
	CHECK(cache == &submit_thread.streams && stream == &submit_stream);
	CHECK(ring == submit_thread.ring.header);
	trace_add("owe %u row %d\n", tid, row != NULL);
}

uint64_t streams_number_late(struct stream *stream, struct journal_record *row)
{
	CHECK(stream == &submit_stream);
	trace_add("number late row %d\n", row != NULL);
	return 50;
}

void streams_open(struct stream *stream, uint32_t tid, struct journal_record *row)
{
	CHECK(stream == &submit_stream);
	trace_add("open %u row %d\n", tid, row != NULL);
}

bool streams_close(struct stream *stream, uint32_t tid, struct journal_record *row)
{
	CHECK(stream == &submit_stream);
	trace_add("close %u row %d\n", tid, row != NULL);
	if (submit_flags & SUBMIT_LOST_LOCK)
		stream->lock.state = SUBMIT_OTHER_TID;
	return !(submit_flags & SUBMIT_LOST_LOCK);
}

void streams_finished(struct stream_row *row, uint64_t ordinal, uint32_t call)
{
	CHECK(row == &submit_row);
	trace_add("finished %" PRIu64 " by %u\n", ordinal, call);
}

void progress_tracker_check(struct progress_tracker *tracker, uint64_t ordinal)
{
	CHECK(tracker == &submit_stream.progress);
	trace_add("check %" PRIu64 "\n", ordinal);
}

/* Run both stages of a call that returns `result`, and trace what is left of it. */
static void run_call(enum driver_call id, unsigned flags, CUresult result)
{
	struct call call = {.id = id, .frame = &work, .thread = &submit_thread};
	bool is_copy = driver_calls[id].role == ROLE_COPY;
	submit_reset(flags);
	(is_copy ? submission_copy_before : submission_before)(&call);
	trace_add("%s%s%slock %u ordinal %" PRIu64 "\n", call.stream ? "stream " : "",
		  call.unordered ? "unordered " : "", call.capturing ? "capturing " : "",
		  submit_stream.lock.state, call.ordinal);
	(is_copy ? submission_copy_after : submission_after)(&call, result);
	trace_add("lock %u submitted %" PRIu64 " result %d\n", submit_stream.lock.state,
		  submit_row.submitted, call.row ? call.row->result : 0);
}

static void run(enum work_kind kind, unsigned flags, CUresult result)
{
	static const enum driver_call calls[] = {[WORK_COPY] = CALL_cuMemcpyAsync_ptsz,
						 [WORK_MEMSET] = CALL_cuMemsetD8Async,
						 [WORK_GRAPH] = CALL_cuGraphLaunch};
	work = (uint8_t)kind;
	run_call(calls[kind], flags, result);
}

/* A row as it is appended, up to its flags; bytes 16 to 19 hold the size. */
#define ROW(sequence, ordinal, stream, kind, work, flags)                              \
	"append row #" #sequence " at 1010 ordinal " #ordinal " tid 7 stream " #stream \
	" stack 21 result -1 call 60 kind " #kind " work " #work " flags " #flags

#define SET(flags) ROW(91, 41, 11, 1, 4, flags) " 16:5\n"
#define ACCEPTED   "lock 0 submitted 41 result 0\n"
#define UNTOLD     "follow row 1\nfollow again\nmarkers 41 at 1010 row 1 told 0\n"
#define LOCKED     "stream lock 7 ordinal 41\n"
#define FIND       "find 55 0\n"

static void test_plain(void)
{
	run(WORK_MEMSET, 0, CUDA_SUCCESS);
	CHECK_TRACE(FIND SET(0) LOCKED UNTOLD ACCEPTED);
	run(WORK_MEMSET, SUBMIT_TOLD, CUDA_SUCCESS);
	CHECK_TRACE(FIND SET(0) LOCKED "note 41 row 1\nmarkers 41 at 1010 row 1 told 1\n" ACCEPTED);
	run(WORK_MEMSET, SUBMIT_TOLD | SUBMIT_QUIET, CUDA_SUCCESS);
	CHECK_TRACE(FIND SET(0) LOCKED "note 41 row 1\n" ACCEPTED);
	run(WORK_MEMSET, SUBMIT_QUIET, CUDA_SUCCESS);
	CHECK_TRACE(FIND SET(0) LOCKED UNTOLD ACCEPTED);
	run(WORK_MEMSET, SUBMIT_BUSY | SUBMIT_WAITS, CUDA_SUCCESS);
	CHECK_TRACE(FIND "lock slowly 7\n" SET(0) LOCKED UNTOLD ACCEPTED);
	run(WORK_MEMSET, 0, REFUSED);
	CHECK_TRACE(FIND SET(0) LOCKED "lock 0 submitted 40 result 1\n");
	run(WORK_MEMSET, SUBMIT_NVTX, CUDA_SUCCESS);
	CHECK_TRACE("ranges of 7\n" FIND SET(0) LOCKED UNTOLD ACCEPTED);
	run(WORK_MEMSET, SUBMIT_NVTX | SUBMIT_RANGES, CUDA_SUCCESS);
	CHECK_TRACE("ranges of 7\n" FIND SET(128) LOCKED UNTOLD ACCEPTED);
	run(WORK_MEMSET, SUBMIT_FULL, CUDA_SUCCESS);
	CHECK_TRACE(FIND SET(
		0) "lost\n" LOCKED
		   "follow row 0\nfollow again\nmarkers 41 at 1010 row 0 told 0\n" ACCEPTED);
	own_flags = RECORD_SYNCHRONOUS;
	run(WORK_MEMSET, SUBMIT_TOLD, CUDA_SUCCESS);
	CHECK_TRACE(FIND SET(4) LOCKED "note 41 row 1\nfinished 41 by 61\ncheck 41\n" ACCEPTED);
	own_flags = 0;
}

#define LAUNCHED ROW(91, 41, 11, 1, 2, 0) " 0:66 8:2\n"

static void test_graphs(void)
{
	run(WORK_GRAPH, SUBMIT_TOLD | SUBMIT_QUIET, CUDA_SUCCESS);
	CHECK_TRACE(FIND "graph 66 launched\n" LAUNCHED LOCKED "note 41 row 1\n" ACCEPTED);
	run(WORK_GRAPH, 0, REFUSED);
	CHECK_TRACE(FIND "graph 66 launched\n" LAUNCHED LOCKED
			 "graph 66 refused\nlock 0 submitted 40 result 1\n");
	run(WORK_GRAPH, SUBMIT_FULL, REFUSED);
	CHECK_TRACE(FIND "graph 66 launched\n" LAUNCHED "lost\n" LOCKED
			 "lock 0 submitted 40 result 0\n");
	run(WORK_GRAPH, SUBMIT_CAPTURES, REFUSED);
#define CAPTURED_GRAPH FIND "captures?\n" ROW(90, 0, 11, 6, 2, 0) " 0:66\n"
	CHECK_TRACE(CAPTURED_GRAPH "capturing lock 7 ordinal 0\nlock 0 submitted 40 result 1\n");
}

/* Work that goes into a graph has no number; its lock is held until its node is known. */
static void test_captures(void)
{
#define CAPTURED FIND "captures?\n" ROW(90, 0, 11, 6, 4, 0) " 16:5\n"
	run(WORK_MEMSET, SUBMIT_CAPTURES, CUDA_SUCCESS);
	CHECK_TRACE(CAPTURED "capturing lock 7 ordinal 0\norigin of 55 is 21\n"
			     "lock 0 submitted 40 result 0\n");
	run(WORK_MEMSET, SUBMIT_CAPTURES, REFUSED);
	CHECK_TRACE(CAPTURED "capturing lock 7 ordinal 0\nlock 0 submitted 40 result 1\n");
	run(WORK_MEMSET, SUBMIT_CAPTURES | SUBMIT_BUSY, CUDA_SUCCESS);
	CHECK_TRACE(CAPTURED "lock slowly 7\nlock 8 ordinal 0\nlock 8 submitted 40 result 0\n");
	run(WORK_MEMSET, SUBMIT_CAPTURES | SUBMIT_FULL, REFUSED);
	CHECK_TRACE(CAPTURED "capturing lock 7 ordinal 0\nlock 0 submitted 40 result 0\n");
	/* A row that did not fit is not known to be of captured work. */
	run(WORK_MEMSET, SUBMIT_CAPTURES | SUBMIT_FULL, CUDA_SUCCESS);
	CHECK_TRACE(CAPTURED "capturing lock 7 ordinal 0\nlost\nlock 0 submitted 40 result 0\n");
}

static void test_unordered(void)
{
#define UNKNOWN FIND ROW(91, 0, 0, 1, 4, 0) " 16:5\nlock 0 ordinal 0\n"
	run(WORK_MEMSET, SUBMIT_UNKNOWN, CUDA_SUCCESS);
	CHECK_TRACE(UNKNOWN "lost\nlock 0 submitted 40 result 0\n");
	run(WORK_MEMSET, SUBMIT_UNKNOWN, REFUSED);
	CHECK_TRACE(UNKNOWN "lock 0 submitted 40 result 1\n");
#define PASSED FIND "lock slowly 7\npass\n" ROW(91, 0, 11, 1, 4, 64) " 16:5 64:21\n"
#define ASIDE  PASSED "unordered lock 8 ordinal 0\ncame back\n"
	run(WORK_MEMSET, SUBMIT_BUSY, CUDA_SUCCESS);
	CHECK_TRACE(ASIDE "lock after 10\nnumber late row 1\nmarkers 50 at 1010 row 1 told 0\n"
			  "lock 0 submitted 40 result 0\n");
	run(WORK_MEMSET, SUBMIT_BUSY, REFUSED);
	CHECK_TRACE(ASIDE "lock 8 submitted 40 result 1\n");
	run(WORK_MEMSET, SUBMIT_BUSY | SUBMIT_NO_TURN, CUDA_SUCCESS);
	CHECK_TRACE(ASIDE "lock after 10\nowe 7 row 1\nlock 8 submitted 40 result 0\n");
	run(WORK_MEMSET, SUBMIT_BUSY | SUBMIT_FULL, CUDA_SUCCESS);
	CHECK_TRACE(PASSED "lost\nunordered lock 8 ordinal 0\ncame back\nlock after 10\n"
			   "number late row 0\nmarkers 50 at 1010 row 0 told 0\n"
			   "lock 0 submitted 40 result 0\n");
	/* The clock may go back when another processor is asked. */
	struct call call = {.thread = &submit_thread, .unordered = &submit_stream};
	submit_reset(SUBMIT_NO_TURN);
	call.time_ns = 1100;
	submission_after(&call, CUDA_SUCCESS);
	CHECK_TRACE("came back\nlock after 0\nowe 7 row 0\n");
}

/* Copies release the lock during the driver's call. */
static void test_copies(void)
{
#define FOUND      "find 55 1\n"
#define COPY(bits) FOUND ROW(91, 41, 11, 1, 3, bits) " 16:5\n"
#define OPENED     "open 7 row 1\n" LOCKED "close 7 row 1\n"
	run(WORK_COPY, 0, CUDA_SUCCESS);
	CHECK_TRACE(COPY(0) OPENED UNTOLD ACCEPTED);
	run(WORK_COPY, SUBMIT_LOST_LOCK, CUDA_SUCCESS);
	CHECK_TRACE(COPY(0) OPENED "came back\nlock after 10\nnumber late row 1\n"
				   "markers 50 at 1010 row 1 told 0\n"
				   "lock 0 submitted 40 result 0\n");
	run(WORK_COPY, SUBMIT_UNKNOWN, CUDA_SUCCESS);
	CHECK_TRACE(FOUND ROW(91, 0, 0, 1, 3, 0) " 16:5\nlock 0 ordinal 0\nlost\n"
						 "lock 0 submitted 40 result 0\n");
	/* A call that waited for its copy needs no number, and another kind does. */
	own_flags = RECORD_SYNCHRONOUS;
	run(WORK_COPY, SUBMIT_LOST_LOCK, CUDA_SUCCESS);
	CHECK_TRACE(COPY(4) OPENED "came back\nlock 8 submitted 40 result 0\n");
	run(WORK_MEMSET, SUBMIT_UNKNOWN, CUDA_SUCCESS);
	CHECK_TRACE(FIND ROW(91, 0, 0, 1, 4, 4) " 16:5\nlock 0 ordinal 0\nlost\n"
						"lock 0 submitted 40 result 0\n");
	own_flags = 0;
}

static void test_rejected(void)
{
	struct journal_record row = {.sequence = 5, .ordinal = 6, .tid = 7, .work = WORK_KERNEL};
	struct call call = {.thread = &submit_thread, .row = &row};
	row.launch.function = 1;
	row.launch.argument_bytes = 8;
	row.launch.n_argument_rows = 1;
	submit_reset(0);
	submission_rejected(&call, REFUSED);
	row.work = WORK_COPY;
	submission_rejected(&call, REFUSED);
#define REJECTED(work)                                                                           \
	"append row #5 at 0 ordinal 0 tid 7 stream 0 stack 0 result 1 call 0 kind 7 work " #work \
	" flags 0 0:1"
	CHECK_TRACE(REJECTED(1) "\n" REJECTED(3) " 32:10000 40:8\n");
}

int main(void)
{
	test_plain();
	test_graphs();
	test_captures();
	test_unordered();
	test_copies();
	test_rejected();
	return 0;
}
