/*
 * test_capture.c - stream capture: recording, forbidden calls, and invalid captures.
 */
#include <pthread.h>

#include "test.h"

static CUstream make_stream(void)
{
	CUstream stream = NULL;
	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	return stream;
}

static CUevent make_event(void)
{
	CUevent event = NULL;
	OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	return event;
}

static void append(CUstream stream, int *list, int value)
{
	void *params[] = {&list, &value};
	OK(test_launch("append", stream, params));
}

static CUgraphExec instantiate(CUgraph graph)
{
	CUgraphExec exec = NULL;
	OK(cuGraphInstantiate(&exec, graph, 0));
	return exec;
}

static void run(CUgraphExec exec, CUstream stream)
{
	OK(cuGraphLaunch(exec, stream));
	OK(cuStreamSynchronize(stream));
}

static CUstreamCaptureStatus status_of(CUstream stream)
{
	CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
	OK(cuStreamIsCapturing(stream, &status));
	return status;
}

static void capture_and_replay(void)
{
	CUgraph graph = NULL;
	size_t n_nodes = 0;
	test_start();
	CUstream stream = make_stream();
	int *list = test_pinned(16);
	CHECK_EQUAL(status_of(stream), CU_STREAM_CAPTURE_STATUS_NONE);
	OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	CHECK_EQUAL(status_of(stream), CU_STREAM_CAPTURE_STATUS_ACTIVE);
	append(stream, list, 1);
	append(stream, list, 2);
	OK(cuStreamEndCapture(stream, &graph));
	CHECK_EQUAL(list[0], 0); /* no kernel has run yet */
	OK(cuGraphGetNodes(graph, NULL, &n_nodes));
	CHECK_EQUAL(n_nodes, 2);
	CUgraphExec exec = instantiate(graph);
	OK(cuGraphDestroy(graph));
	run(exec, stream);
	run(exec, stream);
	CHECK_EQUAL(list[0], 4);
	for (int i = 0; i < 4; i++)
		CHECK_EQUAL(list[i + 1], i % 2 + 1);
	OK(cuGraphExecDestroy(exec));
}

/* A stream joins a capture by waiting for a captured event, and the origin must wait for it. */
static void capture_forks_and_joins(void)
{
	CUgraph graph = NULL;
	size_t n_edges = 0;
	test_start();
	CUstream main_stream = make_stream();
	CUstream side = make_stream();
	CUevent fork = make_event();
	CUevent join = make_event();
	int *list = test_pinned(16);
	OK(cuStreamBeginCapture(main_stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	append(main_stream, list, 1);
	OK(cuEventRecord(fork, main_stream));
	OK(cuStreamWaitEvent(side, fork, 0));
	CHECK_EQUAL(status_of(side), CU_STREAM_CAPTURE_STATUS_ACTIVE);
	append(side, list, 2);
	OK(cuEventRecord(join, side));
	OK(cuStreamWaitEvent(main_stream, join, 0));
	append(main_stream, list, 3);
	OK(cuStreamEndCapture(main_stream, &graph));
	CHECK_EQUAL(status_of(side), CU_STREAM_CAPTURE_STATUS_NONE);
	OK(cuGraphGetEdges(graph, NULL, NULL, NULL, &n_edges));
	CHECK_EQUAL(n_edges, 3); /* 1-2, 1-3, 2-3 */
	run(instantiate(graph), main_stream);
	for (int i = 0; i <= 3; i++)
		CHECK_EQUAL(list[i], i ? i : 3);
}

static void unjoined_work(void)
{
	CUgraph graph = NULL;
	test_start();
	CUstream main_stream = make_stream();
	CUstream side = make_stream();
	CUevent fork = make_event();
	OK(cuStreamBeginCapture(main_stream, CU_STREAM_CAPTURE_MODE_RELAXED));
	OK(cuEventRecord(fork, main_stream));
	OK(cuStreamWaitEvent(side, fork, 0));
	append(side, test_pinned(4), 1);
	CHECK_EQUAL(cuStreamEndCapture(side, &graph), CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
	CHECK_EQUAL(cuStreamEndCapture(main_stream, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
	OK(cuStreamBeginCapture(main_stream, CU_STREAM_CAPTURE_MODE_RELAXED));
	OK(cuEventRecord(fork, main_stream));
	OK(cuStreamWaitEvent(side, fork, 0));
	append(side, test_pinned(4), 1);
	CHECK_EQUAL(cuStreamEndCapture(main_stream, &graph), CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
	CHECK(!graph);
}

/* A call that is forbidden on a capturing stream returns the code and invalidates the capture. */
static void expect_invalidated(CUstream stream, CUresult got, CUresult wanted)
{
	int *list = test_pinned(4);
	int value = 1;
	void *params[] = {&list, &value};
	CUgraph graph = NULL;
	CHECK_EQUAL(got, wanted);
	CHECK_EQUAL(status_of(stream), CU_STREAM_CAPTURE_STATUS_INVALIDATED);
	CHECK_EQUAL(test_launch("append", stream, params), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
	CHECK_EQUAL(cuStreamEndCapture(stream, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
	CHECK(!graph);
	CHECK_EQUAL(status_of(stream), CU_STREAM_CAPTURE_STATUS_NONE);
}

static CUstream begin(CUstreamCaptureMode mode)
{
	static CUstream stream;
	if (!stream)
		stream = make_stream();
	test_function("append"); /* load it before the capture, as a library does */
	OK(cuStreamBeginCapture(stream, mode));
	return stream;
}

static void uncapturable_calls(void)
{
	CUdeviceptr data = 0;
	test_start();
	CUevent event = make_event();
	CUstream stream = begin(CU_STREAM_CAPTURE_MODE_RELAXED);
	expect_invalidated(stream, cuStreamSynchronize(stream),
			   CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
	stream = begin(CU_STREAM_CAPTURE_MODE_RELAXED);
	expect_invalidated(stream, cuStreamQuery(stream), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
	stream = begin(CU_STREAM_CAPTURE_MODE_RELAXED);
	unsigned int flags = 0;
	expect_invalidated(stream, cuStreamGetFlags(stream, &flags),
			   CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
	stream = begin(CU_STREAM_CAPTURE_MODE_RELAXED);
	OK(cuEventRecord(event, stream));
	expect_invalidated(stream, cuEventQuery(event), CUDA_ERROR_CAPTURED_EVENT);
	stream = begin(CU_STREAM_CAPTURE_MODE_GLOBAL);
	expect_invalidated(stream, cuMemAlloc(&data, 4), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
	stream = begin(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
	expect_invalidated(stream, cuCtxSynchronize(), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
	stream = begin(CU_STREAM_CAPTURE_MODE_RELAXED);
	OK(cuMemAlloc(&data, 4));
	CHECK_EQUAL(status_of(stream), CU_STREAM_CAPTURE_STATUS_ACTIVE);
}

/* Waiting for an event recorded outside would be a dependency that a replay cannot have. */
static void foreign_events(void)
{
	test_start();
	CUstream outside = make_stream();
	CUevent event = make_event();
	OK(cuEventRecord(event, outside));
	CUstream stream = begin(CU_STREAM_CAPTURE_MODE_RELAXED);
	expect_invalidated(stream, cuStreamWaitEvent(stream, event, 0),
			   CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
	stream = begin(CU_STREAM_CAPTURE_MODE_RELAXED);
	OK(cuStreamBeginCapture(outside, CU_STREAM_CAPTURE_MODE_RELAXED));
	OK(cuEventRecord(event, outside));
	expect_invalidated(stream, cuStreamWaitEvent(stream, event, 0),
			   CUDA_ERROR_STREAM_CAPTURE_MERGE);
	CHECK_EQUAL(status_of(outside), CU_STREAM_CAPTURE_STATUS_INVALIDATED);
}

static void legacy_stream_while_capturing(void)
{
	CUstream blocking = NULL;
	CUgraph graph = NULL;
	test_start();
	int *word = test_pinned(1);
	OK(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
	CHECK_EQUAL(cuStreamBeginCapture(NULL, CU_STREAM_CAPTURE_MODE_RELAXED),
		    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
	OK(cuStreamBeginCapture(blocking, CU_STREAM_CAPTURE_MODE_RELAXED));
	CUstreamCaptureStatus status;
	CHECK_EQUAL(cuStreamIsCapturing(NULL, &status), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
	CHECK_EQUAL(status_of(blocking), CU_STREAM_CAPTURE_STATUS_ACTIVE);
	CHECK_EQUAL(cuStreamWriteValue32(NULL, (CUdeviceptr)word, 1, 0),
		    CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
	CHECK_EQUAL(cuStreamEndCapture(blocking, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
	OK(cuStreamWriteValue32(NULL, (CUdeviceptr)word, 1, 0));
}

struct other_thread {
	CUcontext context;
	CUstreamCaptureMode mode;
	CUresult result;
};

static void *allocate_elsewhere(void *argument)
{
	struct other_thread *other = argument;
	CUdeviceptr data = 0;
	OK(cuCtxSetCurrent(other->context));
	OK(cuThreadExchangeStreamCaptureMode(&other->mode));
	CHECK_EQUAL(other->mode, CU_STREAM_CAPTURE_MODE_GLOBAL);
	other->result = cuMemAlloc(&data, 4);
	return NULL;
}

static CUresult allocate_in_other_thread(CUstreamCaptureMode mode)
{
	struct other_thread other = {.mode = mode};
	OK(cuCtxGetCurrent(&other.context));
	pthread_t thread = 0;
	CHECK(pthread_create(&thread, NULL, allocate_elsewhere, &other) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
	return other.result;
}

static void modes_of_other_threads(void)
{
	CUgraph graph = NULL;
	test_start();
	CUstream stream = begin(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
	OK(allocate_in_other_thread(CU_STREAM_CAPTURE_MODE_GLOBAL));
	OK(cuStreamEndCapture(stream, &graph));
	stream = begin(CU_STREAM_CAPTURE_MODE_GLOBAL);
	OK(allocate_in_other_thread(CU_STREAM_CAPTURE_MODE_RELAXED));
	OK(allocate_in_other_thread(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	expect_invalidated(stream, allocate_in_other_thread(CU_STREAM_CAPTURE_MODE_GLOBAL),
			   CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
}

static void *end_elsewhere(void *argument)
{
	CUcontext context = NULL;
	CUgraph graph = NULL;
	OK(cuDevicePrimaryCtxRetain(&context, 0));
	OK(cuCtxSetCurrent(context));
	CHECK_EQUAL(cuStreamEndCapture(argument, &graph), CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
	return NULL;
}

static void wrong_thread(void)
{
	test_start();
	pthread_t thread = 0;
	CHECK(pthread_create(&thread, NULL, end_elsewhere,
			     begin(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
}

static const struct test_case cases[] = {
	{"capture_and_replay", capture_and_replay, {NULL}},
	{"capture_forks_and_joins", capture_forks_and_joins, {"SIMCUDA_SEED=2"}},
	{"unjoined_work", unjoined_work, {NULL}},
	{"uncapturable_calls", uncapturable_calls, {NULL}},
	{"foreign_events", foreign_events, {NULL}},
	{"legacy_stream_while_capturing", legacy_stream_while_capturing, {NULL}},
	{"modes_of_other_threads", modes_of_other_threads, {NULL}},
	{"wrong_thread", wrong_thread, {NULL}},
};

TEST_MAIN(cases)
