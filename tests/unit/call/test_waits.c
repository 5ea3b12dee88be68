/*
 * test_waits.c - the row of a thread that is in a call which may wait for the GPU. Stacks, streams
 * and the clock are simulated here.
 */
#include "call/call_parts.h"

#include <errno.h>

#include "record/host/clock.h"
#include "record/stacks/stack.h"
#include "record/streams/stream_rows.h"
#include "record/thread.h"
#include "support/check.h"

uint32_t call_name_ids[N_DRIVER_CALLS];
__thread struct thread_slot thread_slot;

static struct thread thread;
static struct wait_row row;
static struct stream_row stream_row;
static bool is_quiet;

static void trace_row(const char *when)
{
	trace_add("%s: since %" PRIu64 ", tid %u, call %u, stack %u, stream %u, ordinal %" PRIu64
		  "\n",
		  when, row.since_ns, row.tid, row.call, row.stack, row.stream, row.ordinal);
}

uint32_t call_name_discover(enum driver_call call)
{
	(void)call;
	return 50;
}

/* Nothing of a row may be believed while it changes. */
uint64_t clock_ns(void)
{
	errno = EINVAL;
	if (!is_quiet)
		trace_row("before");
	return 70;
}

uint32_t stack_capture(struct stack_cache *cache, const void *frame)
{
	CHECK(cache == &thread.stacks);
	CHECK(frame == &row);
	return 60;
}

uint32_t streams_id(const struct stream_row *of)
{
	CHECK(of == &stream_row);
	return 80;
}

int *thread_find_errno(void)
{
	return &errno;
}

/* Run a call of this thread; the row is one of an earlier call. */
static void run(struct call *call)
{
	row = (struct wait_row){.since_ns = 1, .ordinal = 2, .tid = 3, .call = 4, .stack = 5};
	call->thread = &thread;
	call->frame = &row;
	thread.tid = 40;
	errno = ENOENT;
	waits_begin(call);
	CHECK_EQUAL(errno, ENOENT);
}

static void test_row(void)
{
	struct call call = {.id = CALL_cuStreamSynchronize,
			    .point = {.row = &stream_row, .ordinal = 90}};
	run(&call);
	trace_row("in the call");
	waits_end(&call);
	trace_row("after");
	waits_end(&call);
	call.point = (struct progress_point){0};
	run(&call);
	CHECK_TRACE("before: since 0, tid 40, call 50, stack 60, stream 80, ordinal 90\n"
		    "in the call: since 70, tid 40, call 50, stack 60, stream 80, ordinal 90\n"
		    "after: since 0, tid 40, call 50, stack 60, stream 80, ordinal 90\n"
		    "before: since 0, tid 40, call 50, stack 60, stream 0, ordinal 0\n");
}

/* Which calls may wait: of all roles, with a stream and without. */
static void test_calls(void)
{
	static const enum driver_call ids[] = {
		CALL_cuStreamSynchronize, CALL_cuStreamQuery,       CALL_cuModuleLoad,
		CALL_cuMemAlloc_v2,       CALL_cuMemAllocAsync,     CALL_cuMemFree_v2,
		CALL_cuMemFreeAsync,      CALL_cuCtxDestroy_v2,     CALL_cuLaunchKernel,
		CALL_cuEventRecord,       CALL_cuModuleGetFunction,
	};
	is_quiet = true;
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		struct call call = {.id = ids[i]};
		run(&call);
		if (row.since_ns == 70)
			trace_add("%s\n", driver_calls[call.id].name);
	}
	struct call ends = {.id = CALL_cuCtxDestroy_v2, .context = (CUcontext)&row};
	run(&ends);
	is_quiet = false;
	trace_add("%s of a context\n", driver_calls[ends.id].name);
	CHECK_TRACE("cuStreamSynchronize\n"
		    "cuModuleLoad\n"
		    "cuMemAlloc_v2\n"
		    "cuMemFree_v2\n"
		    "cuCtxDestroy_v2 of a context\n");
}

/* There may be no room for a row. */
static void test_no_row(void)
{
	struct call call = {.id = CALL_cuStreamSynchronize};
	thread.wait = NULL;
	run(&call);
	waits_end(&call);
	trace_row("not changed");
	CHECK_TRACE("not changed: since 1, tid 3, call 4, stack 5, stream 0, ordinal 2\n");
}

int main(void)
{
	thread.wait = &row;
	test_row();
	test_calls();
	test_no_row();
	return 0;
}
