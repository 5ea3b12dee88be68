/*
 * test_call_leave.c - how a call leaves culprit: what is asked and noted for its result, in which
 * order, and the result that the program sees.
 */
#include "call/call_scope.h"

#include <errno.h>

#include "call/call_parts.h"
#include "call/describe.h"
#include "call/submission.h"
#include "failure/cleanup.h"
#include "failure/doubt.h"
#include "failure/fail_closed.h"
#include "failure/failed_contexts.h"
#include "failure/failure.h"
#include "record/host/recording.h"
#include "record/stacks/unwind_memory.h"
#include "record/streams/contexts.h"
#include "record/streams/streams.h"
#include "support/check.h"

#define FAULT   CUDA_ERROR_ILLEGAL_ADDRESS /* breaks the context */
#define REFUSED CUDA_ERROR_INVALID_VALUE

/* The flags of a case. */
enum world {
	FAILED = 1 << 0,   /* before the call */
	FAILS = 1 << 1,    /* when the result is considered */
	RECEIVED = 1 << 2, /* the program knows of the failure */
	LATER = 1 << 3,    /* it is a later failure of another context */
	DOUBTS = 1 << 4,   /* successes may be doubted */
	DOUBTED = 1 << 5,  /* this one is */
	WRONG = 1 << 6,    /* and it is a failure */
	HIDDEN = 1 << 7,   /* clean-up calls succeed */
	ROW = 1 << 8,      /* the call has a row */
	STREAM = 1 << 9,   /* and a stream */
	UNORDERED = 1 << 10,
	UNKNOWN = 1 << 11, /* the driver knows no stream */
	NUMBERED = 1 << 12,
};

static uint32_t is_recording = 1;
uint32_t *recording_flag = &is_recording;
bool coredumps_watched;
uint64_t streams_generation;
struct driver real;
__thread struct thread_slot thread_slot;

static unsigned world;
static int host_errno;
static bool has_memory;
static struct thread thread = {.tid = 7};
static struct context context = {.id = 3}, known = {.id = 4};
static struct stream stream = {.id = 11, .context = &context};
static struct stream unordered = {.id = 12, .context = &context};
static struct stream found = {.id = 13, .context = &context};
static struct journal_record row = {.sequence = 99, .stream = 14, .result = RESULT_PENDING};

bool doubt_success(enum driver_call id, uint64_t sequence)
{
	trace_add("doubt %s %" PRIu64 "\n", driver_calls[id].name, sequence);
	return world & DOUBTED;
}

CUresult doubt_result(enum driver_call id, CUresult result)
{
	trace_add("result %s\n", driver_calls[id].name);
	return result == CUDA_SUCCESS && world & WRONG ? FAULT : result;
}

bool failure_has_happened(void)
{
	return world & FAILED;
}

bool failure_is_later(CUresult result)
{
	CHECK(result == FAULT || result == REFUSED);
	return world & LATER;
}

void failure_consider(const struct observer *observer, CUresult result)
{
	CHECK(observer->thread == &thread);
	CHECK(observer->frame == &world);
	CHECK_EQUAL(thread.coming, GRACE_ELSEWHERE);
	trace_add("consider %d of %s on %u in %u\n", (int)result, driver_calls[observer->id].name,
		  observer->stream, observer->context ? observer->context->id : 0);
	if (world & FAILS)
		world |= FAILED;
}

bool failed_contexts_are_received(void)
{
	return world & RECEIVED;
}

void failed_contexts_receive(void)
{
	trace_add("receive\n");
}

CUresult cleanup_result(struct thread *of, enum driver_call id, CUresult result, bool was_received)
{
	CHECK(of == &thread);
	trace_add("clean up %s %d %d\n", driver_calls[id].name, (int)result, was_received);
	return world & HIDDEN ? CUDA_SUCCESS : result;
}

void fail_closed(uint32_t tid)
{
	host_errno = EPERM;
	CHECK(!thread_slot.scope);
	trace_add("closed %u\n", tid);
}

void streams_note_lost(void)
{
	trace_add("lost\n");
}

CUstream describe_stream(const struct call *call)
{
	CHECK(call->thread == &thread);
	return (CUstream)0x55;
}

struct stream *streams_find(struct stream_cache *cache, CUstream handle, bool is_default_per_thread)
{
	CHECK(cache == &thread.streams);
	CHECK_EQUAL(thread.coming, GRACE_COMING);
	trace_add("stream %x %d\n", (unsigned)(uintptr_t)handle, is_default_per_thread);
	return world & UNKNOWN ? NULL : &found;
}

struct context *contexts_known(CUcontext handle)
{
	return (uintptr_t)handle == 0x44 ? &known : NULL;
}

void submission_rejected(const struct call *call, CUresult result)
{
	CHECK(call->row == &row);
	trace_add("rejected %d\n", (int)result);
}

void rejection_explain(const struct call *call, CUresult result)
{
	CHECK(call->row == &row);
	trace_add("explain %d\n", (int)result);
}

int *thread_find_errno(void)
{
	return &host_errno;
}

struct thread *thread_start(void)
{
	host_errno = EPERM;
	return has_memory ? &thread : NULL;
}

void thread_pass(void)
{
	trace_add("pass\n");
}

/* No call was left without a return: see test_call_enter.c. */
const void *thread_scope(enum driver_call *out_call)
{
	CHECK(out_call);
	return NULL;
}

void thread_give_up_scope(void)
{
	CHECK(false);
}

void unwind_memory_begin(struct unwind_memory *memory, uint64_t sp)
{
	CHECK(!memory && sp);
}

bool unwind_memory_ask(struct unwind_memory *memory, uint64_t address)
{
	CHECK(!memory && address);
	return false;
}

static void after(struct call *call, CUresult result)
{
	CHECK(thread_slot.scope == call);
	CHECK_EQUAL(thread.coming, GRACE_ELSEWHERE);
	host_errno = EPERM;
	trace_add("after %d\n", (int)result);
}

static void enter(unsigned wanted)
{
	world = wanted;
	coredumps_watched = world & DOUBTS;
	row.result = RESULT_PENDING;
	host_errno = EINTR;
}

/* Return what the program sees of a call that returned this result. */
static CUresult leave(enum driver_call id, unsigned wanted, CUresult result)
{
	struct call call = {.id = id, .frame = &world, .thread = &thread};
	enter(wanted);
	call.row = world & ROW ? &row : NULL;
	call.stream = world & STREAM ? &stream : NULL;
	call.unordered = world & UNORDERED ? &unordered : NULL;
	call.ordinal = world & NUMBERED ? 5 : 0;
	call.context = id == CALL_cuCtxDestroy_v2 ? (CUcontext)0x44 : NULL;
	thread.coming = GRACE_COMING;
	thread_slot = (struct thread_slot){
		.current = &thread, .host_errno = &host_errno, .scope = &call, .call = id};
	CUresult shown = call_scope_leave(&call, result, after);
	CHECK(!thread_slot.scope);
	CHECK_EQUAL(host_errno, EINTR);
	return shown;
}

#define CHECK_LEFT(name, world, result, shown, wanted)                 \
	do {                                                           \
		CHECK_EQUAL(leave(CALL_##name, world, result), shown); \
		CHECK_TRACE(wanted);                                   \
	} while (0)

static void test_success(void)
{
	CHECK_LEFT(cuLaunchKernel, 0, CUDA_SUCCESS, CUDA_SUCCESS, "after 0\n");
	CHECK_LEFT(cuLaunchKernel, DOUBTED, CUDA_SUCCESS, CUDA_SUCCESS, "after 0\n");
	CHECK_LEFT(cuLaunchKernel, DOUBTS | ROW, CUDA_SUCCESS, CUDA_SUCCESS,
		   "doubt cuLaunchKernel 0\nafter 0\n");
	CHECK_LEFT(cuLaunchKernel, DOUBTS | NUMBERED, CUDA_SUCCESS, CUDA_SUCCESS,
		   "doubt cuLaunchKernel 0\nafter 0\n");
	CHECK_LEFT(cuLaunchKernel, DOUBTS | NUMBERED | ROW, CUDA_SUCCESS, CUDA_SUCCESS,
		   "doubt cuLaunchKernel 99\nafter 0\n");
	CHECK_EQUAL(row.result, RESULT_PENDING);
	/* The call was given up, or a signal handler forked: nothing is known of it. */
	struct call call = {.thread = &thread};
	enter(0);
	thread_slot = (struct thread_slot){.current = &thread, .scope = &world};
	CHECK_EQUAL(call_scope_leave(&call, FAULT, after), FAULT);
	CHECK(thread_slot.scope == &world);
	thread.tid = 0;
	thread_slot.scope = &call;
	CHECK_EQUAL(call_scope_leave(&call, FAULT, after), FAULT);
	CHECK_TRACE("");
	thread.tid = 7;
	thread_slot = (struct thread_slot){.current = &thread, .host_errno = &host_errno};
	thread_slot.scope = &call;
	CHECK_EQUAL(call_scope_leave(&call, CUDA_SUCCESS, NULL), CUDA_SUCCESS);
	CHECK(!thread_slot.scope);
	CHECK_TRACE("");
}

#define SYNC  "cuStreamSynchronize"
#define LOOK  "stream 55 0\n"
#define SEEN  "consider 700 of " SYNC " on 13 in 3\nresult " SYNC "\n"
#define CLEAN "clean up " SYNC " 700 "

/* The stream and the context that the failure is seen on. */
static void test_observer(void)
{
	CHECK_LEFT(cuStreamSynchronize, 0, FAULT, FAULT, "after 700\n" LOOK SEEN "closed 7\n");
	CHECK_LEFT(cuStreamSynchronize, STREAM | UNORDERED, FAULT, FAULT,
		   "after 700\n" LOOK SEEN "closed 7\n");
	CHECK_LEFT(cuStreamSynchronize_ptsz, UNKNOWN, FAULT, FAULT,
		   "after 700\nstream 55 1\nconsider 700 of cuStreamSynchronize_ptsz on 0 in 0\n"
		   "result cuStreamSynchronize_ptsz\nclosed 7\n");
	CHECK_LEFT(cuStreamSynchronize, FAILED, FAULT, FAULT,
		   "after 700\nconsider 700 of " SYNC " on 0 in 0\nresult " SYNC "\n" CLEAN
		   "0\nreceive\nclosed 7\n");
	CHECK_LEFT(cuStreamSynchronize, DOUBTS | DOUBTED, REFUSED, REFUSED,
		   "after 1\nconsider 1 of " SYNC " on 0 in 0\nresult " SYNC "\nclosed 7\n");
	CHECK_LEFT(cuStreamDestroy_v2, 0, FAULT, FAULT,
		   "after 700\nconsider 700 of cuStreamDestroy_v2 on 0 in 0\n"
		   "result cuStreamDestroy_v2\nclosed 7\n");
	CHECK_LEFT(cuCtxDestroy_v2, 0, FAULT, FAULT,
		   "after 700\nconsider 700 of cuCtxDestroy_v2 on 0 in 4\n"
		   "result cuCtxDestroy_v2\nclosed 7\n");
	static const struct {
		unsigned world, context;
	} cases[] = {{ROW, 0}, {ROW | STREAM, 3}, {ROW | UNORDERED, 3}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char wanted[256];
		(void)snprintf(wanted, sizeof(wanted),
			       "after 700\nconsider 700 of cuLaunchKernel on 14 in %u\n"
			       "result cuLaunchKernel\nclean up cuLaunchKernel 700 0\nreceive\n"
			       "closed 7\n",
			       cases[i].context);
		CHECK_LEFT(cuLaunchKernel, cases[i].world | FAILS, FAULT, FAULT, wanted);
		CHECK_EQUAL(row.result, RESULT_PENDING);
	}
}

/* The program sees an error with a failure, or after it. */
static void test_shown(void)
{
	CHECK_LEFT(cuStreamSynchronize, FAILS | RECEIVED, FAULT, FAULT,
		   "after 700\n" LOOK SEEN CLEAN "0\nreceive\nclosed 7\n");
#define AGAIN "after 700\nconsider 700 of " SYNC " on 0 in 0\nresult " SYNC "\n" CLEAN
	CHECK_LEFT(cuStreamSynchronize, FAILED | RECEIVED, FAULT, FAULT,
		   AGAIN "1\nreceive\nclosed 7\n");
	CHECK_LEFT(cuStreamSynchronize, FAILED | RECEIVED | LATER, FAULT, FAULT,
		   AGAIN "0\nreceive\nclosed 7\n");
	CHECK_LEFT(cuStreamSynchronize, FAILED | RECEIVED | HIDDEN, FAULT, CUDA_SUCCESS,
		   AGAIN "1\nclosed 7\n");
}

#define LAUNCH    "cuLaunchKernel"
#define CONSIDER0 "consider 0 of " LAUNCH " on 14 in 3\nresult " LAUNCH "\n"
#define DOUBT     "doubt " LAUNCH " 0\nafter -1\n"

static void test_doubt(void)
{
	CHECK_LEFT(cuLaunchKernel, DOUBTS | DOUBTED | ROW | STREAM, CUDA_SUCCESS, CUDA_SUCCESS,
		   DOUBT CONSIDER0 "lost\nclosed 7\n");
	CHECK_EQUAL(row.result, CUDA_SUCCESS);
	CHECK_LEFT(cuLaunchKernel, DOUBTS | DOUBTED | ROW | UNORDERED, CUDA_SUCCESS, CUDA_SUCCESS,
		   DOUBT CONSIDER0 "lost\nclosed 7\n");
	CHECK_LEFT(cuStreamSynchronize, DOUBTS | DOUBTED, CUDA_SUCCESS, CUDA_SUCCESS,
		   "doubt " SYNC " 0\nafter -1\n" LOOK "consider 0 of " SYNC
		   " on 13 in 3\nresult " SYNC "\nclosed 7\n");
	CHECK_LEFT(cuLaunchKernel, DOUBTS | DOUBTED | WRONG | FAILS | ROW | STREAM, CUDA_SUCCESS,
		   FAULT, DOUBT CONSIDER0 "clean up " LAUNCH " 700 0\nreceive\nclosed 7\n");
	CHECK_EQUAL(row.result, FAULT);
}

static void test_rejection(void)
{
	CHECK_LEFT(cuLaunchKernel, ROW | STREAM, REFUSED, REFUSED,
		   "after 1\nconsider 1 of " LAUNCH " on 0 in 0\nresult " LAUNCH
		   "\nrejected 1\nexplain 1\nclosed 7\n");
	CHECK_EQUAL(row.result, RESULT_PENDING);
	CHECK_LEFT(cuGraphLaunch, ROW | STREAM, REFUSED, REFUSED,
		   "after 1\nconsider 1 of cuGraphLaunch on 0 in 0\nresult cuGraphLaunch\n"
		   "rejected 1\nclosed 7\n");
	CHECK_LEFT(cuLaunchKernel, ROW | STREAM | FAILED, REFUSED, REFUSED,
		   "after 1\nconsider 1 of " LAUNCH " on 0 in 0\nresult " LAUNCH
		   "\nclean up " LAUNCH " 1 0\nclosed 7\n");
}

static CUresult fail(unsigned wanted, CUresult result, struct thread *self)
{
	enter(wanted);
	thread.coming = GRACE_COMING;
	thread_slot = (struct thread_slot){.current = self};
	CUresult shown = call_scope_failed(CALL_cuMemGetInfo_v2, result, &world);
	CHECK(!thread_slot.scope);
	CHECK_EQUAL(host_errno, EINTR);
	return shown;
}

/* The error of a call that is not recorded. */
static void test_failed(void)
{
#define INFO        "cuMemGetInfo_v2"
#define NOTED(code) "consider " #code " of " INFO " on 0 in 0\nresult " INFO "\n"
	CHECK_EQUAL(fail(0, FAULT, &thread), FAULT);
	CHECK_TRACE(NOTED(700) "closed 7\n");
	CHECK_EQUAL(fail(0, CUDA_SUCCESS, &thread), CUDA_SUCCESS);
	CHECK_TRACE(NOTED(0) "closed 7\n");
	CHECK_EQUAL(fail(FAILED | WRONG | RECEIVED, CUDA_SUCCESS, &thread), FAULT);
	CHECK_TRACE(NOTED(0) "clean up " INFO " 700 1\nreceive\nclosed 7\n");
	CHECK_EQUAL(fail(FAILS | RECEIVED, FAULT, &thread), FAULT);
	CHECK_TRACE(NOTED(700) "clean up " INFO " 700 0\nreceive\nclosed 7\n");
	CHECK_EQUAL(fail(FAILED, FAULT, &thread), FAULT);
	CHECK_TRACE(NOTED(700) "clean up " INFO " 700 0\nreceive\nclosed 7\n");
	CHECK_EQUAL(fail(0, FAULT, NULL), FAULT);
	CHECK_TRACE("closed 0\n");
	has_memory = true;
	CHECK_EQUAL(fail(0, FAULT, NULL), FAULT);
	CHECK_TRACE(NOTED(700) "closed 7\n");
	is_recording = 0;
	CHECK_EQUAL(fail(0, FAULT, NULL), FAULT);
	is_recording = 1;
	thread_slot.scope = &world; /* inside another call */
	CHECK_EQUAL(call_scope_failed(CALL_cuMemGetInfo_v2, FAULT, &world), FAULT);
	CHECK(thread_slot.scope == &world);
	CHECK_TRACE("");
}

int main(void)
{
	test_success();
	test_observer();
	test_shown();
	test_doubt();
	test_rejection();
	test_failed();
	return 0;
}
