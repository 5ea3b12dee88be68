/*
 * test_launch.c - a kernel launch from its entry point to the driver and back: its rows, its
 * numbers, its stream's lock, and what is noted when the driver has accepted or refused it.
 */
#include "call/call.h"

#include <errno.h>

#include "arch/frame.h"
#include "launch/launch_case.h"
#include "record/driver/coredumps.h"
#include "record/streams/streams.h"
#include "support/check.h"

#define REFUSED CUDA_ERROR_INVALID_VALUE

static const struct args_cuLaunchKernel plain = {.f = LAUNCH_KERNEL,
						 .gridDimX = 1,
						 .gridDimY = 2,
						 .gridDimZ = 3,
						 .blockDimX = 4,
						 .blockDimY = 5,
						 .blockDimZ = 6,
						 .sharedMemBytes = 7,
						 .hStream = LAUNCH_STREAM};

/* Launch, and trace the rows that are in the ring when the driver is called. */
static void enter(struct call *call, enum driver_call id, const struct args_cuLaunchKernel *args)
{
	CHECK(launch_enter(call, id, args, FRAME_HERE()));
	CHECK_EQUAL(launch_errno, EINTR);
	CHECK_EQUAL(submit_thread.coming, GRACE_LAUNCHES);
	CHECK(thread_slot.scope == call && call->args == args);
	const struct journal_record *rows =
		(const struct journal_record *)(submit_thread.ring.header + 1);
	for (uint64_t i = 0; i < submit_thread.ring.next; i++) {
		CHECK_EQUAL(rows[i].commit, i + 1);
		submit_trace_row(&rows[i]);
	}
	trace_add("lock %u ordinal %" PRIu64 "\n", submit_stream.lock.state, call->ordinal);
}

static void launch(enum driver_call id, const struct args_cuLaunchKernel *args, CUresult result)
{
	struct call call;
	memset(&call, 0x5a, sizeof(call));
	enter(&call, id, args);
	CUresult shown = launch_leave(&call, result);
	CHECK_EQUAL(submit_thread.coming, shown ? GRACE_LAUNCHES : GRACE_ELSEWHERE);
	CHECK(!thread_slot.scope);
	if (!shown)
		CHECK_EQUAL(launch_errno, EINTR);
	trace_add("lock %u submitted %" PRIu64 " result %d\n", submit_stream.lock.state,
		  submit_row.submitted, call.row ? call.row->result : 0);
}

#define LAUNCH(result) launch(CALL_cuLaunchKernel, &plain, result)

#define ROW(sequence, ordinal, stream, flags, launch_function)                           \
	"row #" #sequence " at 1010 ordinal " #ordinal " tid 7 stream " #stream          \
	" stack 21 result -1 call 60 kind 1 work 1 flags " #flags " 0:" #launch_function \
	" 4:1 8:2 12:3 16:4 20:5 24:6"
#define PLAIN    ROW(91, 41, 11, 0, 1f) " 36:7\n"
#define LOCKED   "lock 7 ordinal 41\n"
#define UNTOLD   "follow row 1\nfollow again\nmarkers 41 at 1010 row 1 told 0\n"
#define ACCEPTED "lock 0 submitted 41 result 0\n"

static void test_plain(void)
{
	launch_begin(0);
	LAUNCH(CUDA_SUCCESS);
	CHECK_TRACE(PLAIN LOCKED UNTOLD ACCEPTED);
	launch_begin(SUBMIT_TOLD | SUBMIT_QUIET);
	LAUNCH(CUDA_SUCCESS);
	CHECK_TRACE(PLAIN LOCKED "note 41 row 1\n" ACCEPTED);
	launch_begin(SUBMIT_NVTX | SUBMIT_RANGES);
	LAUNCH(CUDA_SUCCESS);
	CHECK_TRACE("ranges of 7\n" ROW(91, 41, 11, 128, 1f) " 36:7\n" LOCKED UNTOLD ACCEPTED);
	launch_begin(SUBMIT_TOLD);
	describe_is_blocking = true;
	LAUNCH(CUDA_SUCCESS);
	describe_is_blocking = false;
	CHECK_TRACE(ROW(91, 41, 11, 4, 1f) " 36:7\n" LOCKED
					   "note 41 row 1\nfinished 41\n" ACCEPTED);
	launch_begin(SUBMIT_FULL);
	LAUNCH(CUDA_SUCCESS);
	CHECK_TRACE("append " PLAIN "lost\n" LOCKED
		    "after 0 stream 1 row 0\nlock 7 submitted 40 result 0\n");
	launch_begin(0);
	launch_other = (struct launch){.cluster = 0x300020001, .flags = RECORD_COOPERATIVE};
	launch(CALL_cuLaunchCooperativeKernel, &plain, CUDA_SUCCESS);
	CHECK_TRACE(ROW(91, 41, 11, 16, 1f) " 28:20001 32:3 36:7\n" LOCKED UNTOLD ACCEPTED);
}

/* The streams that a launch may mean, and those that it may not have to itself. */
static void test_streams(void)
{
	struct args_cuLaunchKernel args = plain;
	launch_begin(0);
	launch_know_stream(0x99);
	LAUNCH(CUDA_SUCCESS);
	CHECK_TRACE("find 55 0\n" PLAIN LOCKED UNTOLD ACCEPTED);
	static const struct {
		enum driver_call id;
		const char *asked;
	} cases[] = {
		{CALL_cuLaunchKernel, "current\n"},
		{CALL_cuLaunchKernelEx, "current\n"},
		{CALL_cuLaunchKernel_ptsz, "find 0 1\n"},
		{CALL_cuLaunchCooperativeKernel, "find 0 0\n"},
	};
	launch_other = (struct launch){.flags = 0};
	args.hStream = NULL;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char wanted[512];
		launch_begin(0);
		launch_know_stream(streams_legacy_key(LAUNCH_CONTEXT));
		launch(cases[i].id, &args, CUDA_SUCCESS);
		(void)snprintf(wanted, sizeof(wanted), "%s" PLAIN LOCKED UNTOLD ACCEPTED,
			       cases[i].asked);
		CHECK_TRACE(wanted);
	}
	launch_begin(0);
	launch_know_stream(streams_legacy_key((CUcontext)0x40));
	launch(CALL_cuLaunchKernel, &args, CUDA_SUCCESS);
	CHECK_TRACE("current\nfind 0 0\n" PLAIN LOCKED UNTOLD ACCEPTED);
	/* A thread's first launch knows no stream. */
	launch_begin(SUBMIT_UNKNOWN);
	submit_thread.streams = (struct stream_cache){.key = 0};
	LAUNCH(CUDA_SUCCESS);
#define UNORDERED(ask, flags) \
	ask "unordered 0\n" ROW(91, 0, 0, flags, 1f) " 36:7\nlock 0 ordinal 0\n"
	CHECK_TRACE(UNORDERED("find 55 0\n", 64) "after 0 stream 0 row 1\n"
						 "lock 0 submitted 40 result -1\n");
	launch_begin(0);
	launch_other = (struct launch){.flags = RECORD_UNORDERED};
	launch(CALL_cuLaunch, &plain, CUDA_SUCCESS);
	CHECK_TRACE(UNORDERED("", 64) "after 0 stream 0 row 1\nlock 0 submitted 40 result -1\n");
	launch_begin(SUBMIT_BUSY);
	LAUNCH(CUDA_SUCCESS);
	CHECK_TRACE("lock slowly 7\nstep aside\nunordered 1\n" ROW(
		91, 0, 0, 64,
		1f) " 36:7\n"
		    "lock 8 ordinal 0\nafter 0 stream 0 row 1\nlock 8 submitted 40 result -1\n");
	launch_begin(SUBMIT_CAPTURES);
	LAUNCH(CUDA_SUCCESS);
	CHECK_TRACE("captures?\ncapture\n" ROW(
		0, 0, 0, 0, 1f) " 36:7\nlock 0 ordinal 0\n"
				"after 0 stream 0 row 1\nlock 0 submitted 40 result -1\n");
}

/* Launch a kernel with arguments, and compare what comes before the row's end. */
static void check_arguments(const char *wanted)
{
	struct args_cuLaunchKernel args = plain;
	struct call call;
	args.kernelParams = launch_parameters[0] ? launch_parameters : NULL;
	args.extra = launch_extra[0] ? launch_extra : NULL;
	enter(&call, CALL_cuLaunchKernel, &args);
	CHECK_TRACE(wanted);
	(void)launch_leave(&call, CUDA_SUCCESS);
	(void)trace_take();
}

#define DRAWN "row #0 at 0 ordinal 0 tid 7 stream 0 stack 0 result 0 call 0 kind 2 work 0 flags 0"
#define WHOLE                                                                               \
	" 0:11111111 4:11111111 8:11111111 12:11111111 16:11111111 20:11111111 24:11111111" \
	" 28:11111111 32:11111111 36:11111111 40:11111111 44:11111111 48:11111111"          \
	" 52:11111111 56:11111111 60:11111111 64:11111111 68:11111111\n"
#define SECOND                                                                              \
	" 0:22222222 4:22222222 8:22222222 12:22222222 16:22222222 20:22222222 24:22222222" \
	" 28:22222222 32:22222222 36:22222222 40:22222222 44:22222222 48:22222222"          \
	" 52:22222222 56:22222222 60:22222222 64:22222222 68:22222222\n"
#define WITH(flags, rows, bytes) ROW(91, 41, 11, flags, 1f) rows " 36:7" bytes "\n" LOCKED

static void test_arguments(void)
{
	launch_parameters[0] = &launch_errno;
	launch_begin(0);
	launch_know_kernel(2, 6, &launch_function);
	check_arguments("copy 1 1 0\n" DRAWN " 0:11111111 4:1111\n" WITH(0, " 32:10000", " 40:6"));
	launch_begin(0);
	launch_know_kernel(2, RECORD_PAYLOAD, &launch_function);
	check_arguments("copy 1 1 0\n" DRAWN WHOLE WITH(0, " 32:10000", " 40:48"));
	launch_begin(0);
	launch_know_kernel(2, RECORD_PAYLOAD + 1, &launch_function);
	check_arguments("copy 1 1 0\n" DRAWN WHOLE DRAWN " 0:22\n" WITH(0, " 32:20000", " 40:49"));
	launch_begin(0);
	launch_know_kernel(2, 2 * RECORD_PAYLOAD, &launch_function);
	check_arguments("copy 1 1 0\n" DRAWN WHOLE DRAWN SECOND WITH(0, " 32:20000", " 40:90"));
	launch_begin(0);
	launch_know_kernel(2, 2 * RECORD_PAYLOAD + 1, &launch_function);
	check_arguments("copy 1 1 0\nkeep 1 0 of 7 at 1010\n" DRAWN WHOLE DRAWN SECOND WITH(
		32, " 32:20000", " 40:90"));
	/* Arguments that cannot be read. */
	launch_begin(0);
	launch_know_kernel(2, 8, &launch_function);
	launch_readable_size = 4;
	check_arguments("copy 1 1 0\n" DRAWN " 0:11111111\n" WITH(32, " 32:10000", " 40:4"));
	launch_begin(0);
	launch_know_kernel(2, 8, &launch_function);
	launch_readable_size = 0;
	check_arguments("copy 1 1 0\n" WITH(32, "", ""));
	launch_begin(0);
	check_arguments(WITH(0, "", ""));
}

static void test_extra(void)
{
	launch_parameters[0] = NULL;
	launch_extra[0] = &launch_errno;
	launch_begin(0);
	launch_know_kernel(0, 8, &launch_function);
	check_arguments("copy 1 0 1\n" DRAWN
			" 0:11111111 4:11111111\n" WITH(0, " 32:10000", " 40:8"));
	launch_begin(0);
	launch_know_kernel(2, 8, &launch_function);
	check_arguments("copy 1 0 1\n" DRAWN
			" 0:11111111 4:11111111\n" WITH(0, " 32:10000", " 40:8"));
	launch_begin(0);
	check_arguments(WITH(0, "", ""));
	launch_extra[0] = NULL;
	launch_begin(0);
	launch_know_kernel(0, 8, &launch_function);
	check_arguments(WITH(0, "", ""));
}

/* Each reason to leave slowly, and a kernel that the thread has not seen. */
static void test_leave(void)
{
#define SLOWLY(code) PLAIN LOCKED "leave " #code "\nafter " #code " stream 1 row 1\n"
#define LEFT         "lock 7 submitted 40 result -1\n"
	launch_begin(0);
	LAUNCH(REFUSED);
	CHECK_TRACE(SLOWLY(1) LEFT);
	launch_begin(0);
	coredumps_watched = true;
	LAUNCH(CUDA_SUCCESS);
	coredumps_watched = false;
	CHECK_TRACE(SLOWLY(0) LEFT);
	launch_begin(0);
	thread_slot.slow = THREAD_IS_PASSING;
	LAUNCH(CUDA_SUCCESS);
	CHECK_TRACE(SLOWLY(0) LEFT);
	struct call call;
	launch_begin(0);
	enter(&call, CALL_cuLaunchKernel, &plain);
	thread_slot.scope = &call.row;
	CHECK_EQUAL(launch_leave(&call, CUDA_SUCCESS), CUDA_ERROR_UNKNOWN);
	CHECK_TRACE(SLOWLY(0));
#define NEW(code, end)                                                                      \
	"look up\n" ROW(91, 41, 11, 0, 20) " 36:7\n" LOCKED "leave " #code "\nafter " #code \
					   " stream 1 row 1\n" end LEFT
	launch_begin(0);
	functions_generation++;
	thread_slot.slow = THREAD_IS_PASSING;
	LAUNCH(CUDA_SUCCESS);
	CHECK_TRACE(NEW(0, "launched\n"));
	CHECK_EQUAL(thread_slot.slow, THREAD_IS_PASSING);
	launch_begin(0);
	functions_generation++;
	LAUNCH(REFUSED);
	CHECK_TRACE(NEW(1, "miss\n"));
	CHECK_EQUAL(thread_slot.slow, 0);
	launch_begin(SUBMIT_CAPTURES);
	functions_generation++;
	LAUNCH(CUDA_SUCCESS);
	CHECK(strstr(trace_take(), "stream 0 row 1\nmiss\n"));
}

static void test_scope(void)
{
	struct call call;
	launch_begin(0);
	thread_slot.current = NULL;
	launch_is_recorded = false;
	CHECK(!launch_enter(&call, CALL_cuLaunchKernel, &plain, FRAME_HERE()));
	CHECK_TRACE("begin\n");
	launch_is_recorded = true;
	enter(&call, CALL_cuLaunchKernel, &plain);
	CHECK_TRACE("begin\n" PLAIN LOCKED);
}

int main(void)
{
	test_plain();
	test_streams();
	test_arguments();
	test_extra();
	test_leave();
	test_scope();
	return 0;
}
