/*
 * test_graphs.c - capture with its rules, graphs built by hand, their launches and updates.
 */
#include <pthread.h>
#include <string.h>

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
	CUgraphExec exec;
	CUstream stream;
	size_t n_nodes = 0;
	int *list;

	test_start();
	stream = make_stream();
	list = test_pinned(16);
	CHECK_EQUAL(status_of(stream), CU_STREAM_CAPTURE_STATUS_NONE);
	OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	CHECK_EQUAL(status_of(stream), CU_STREAM_CAPTURE_STATUS_ACTIVE);
	append(stream, list, 1);
	append(stream, list, 2);
	OK(cuStreamEndCapture(stream, &graph));
	CHECK_EQUAL(list[0], 0); /* nothing ran yet */
	OK(cuGraphGetNodes(graph, NULL, &n_nodes));
	CHECK_EQUAL(n_nodes, 2);
	exec = instantiate(graph);
	OK(cuGraphDestroy(graph));
	run(exec, stream);
	run(exec, stream);
	CHECK_EQUAL(list[0], 4);
	for (int i = 0; i < 4; i++)
		CHECK_EQUAL(list[i + 1], i % 2 + 1);
	OK(cuGraphExecDestroy(exec));
}

/* A stream joins by waiting for a captured event, and must be joined again. */
static void capture_forks_and_joins(void)
{
	CUstream main_stream, side;
	CUevent fork, join;
	CUgraph graph = NULL;
	int *list;
	size_t n_edges = 0;

	test_start();
	main_stream = make_stream();
	side = make_stream();
	fork = make_event();
	join = make_event();
	list = test_pinned(16);
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
	CUstream main_stream, side;
	CUevent fork;
	CUgraph graph = NULL;

	test_start();
	main_stream = make_stream();
	side = make_stream();
	fork = make_event();
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

/* What may not be called on a capturing stream fails with the code and ruins the capture. */
static void expect_invalidated(CUstream stream, CUresult got, CUresult wanted)
{
	int *list = test_pinned(4), value = 1;
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
	test_function("append"); /* loaded before, as a library would */
	OK(cuStreamBeginCapture(stream, mode));
	return stream;
}

static void uncapturable_calls(void)
{
	CUevent event;
	CUstream stream;
	CUdeviceptr data = 0;

	test_start();
	event = make_event();
	stream = begin(CU_STREAM_CAPTURE_MODE_RELAXED);
	expect_invalidated(stream, cuStreamSynchronize(stream),
			   CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
	stream = begin(CU_STREAM_CAPTURE_MODE_RELAXED);
	expect_invalidated(stream, cuStreamQuery(stream), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
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

/* An event recorded outside would be a dependency that no replay could have. */
static void foreign_events(void)
{
	CUstream outside, stream;
	CUevent event;

	test_start();
	outside = make_stream();
	event = make_event();
	OK(cuEventRecord(event, outside));
	stream = begin(CU_STREAM_CAPTURE_MODE_RELAXED);
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
	CUstreamCaptureStatus status;
	CUstream blocking = NULL;
	CUgraph graph = NULL;
	int *word;

	test_start();
	word = test_pinned(1);
	OK(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
	CHECK_EQUAL(cuStreamBeginCapture(NULL, CU_STREAM_CAPTURE_MODE_RELAXED),
		    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
	OK(cuStreamBeginCapture(blocking, CU_STREAM_CAPTURE_MODE_RELAXED));
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
	pthread_t thread;

	OK(cuCtxGetCurrent(&other.context));
	CHECK(pthread_create(&thread, NULL, allocate_elsewhere, &other) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
	return other.result;
}

static void modes_of_other_threads(void)
{
	CUstream stream;
	CUgraph graph = NULL;

	test_start();
	stream = begin(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
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
	pthread_t thread;

	test_start();
	CHECK(pthread_create(&thread, NULL, end_elsewhere,
			     begin(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
}

static CUDA_KERNEL_NODE_PARAMS append_params(void **params)
{
	return (CUDA_KERNEL_NODE_PARAMS){.func = test_function("append"),
					 .gridDimX = 1,
					 .gridDimY = 1,
					 .gridDimZ = 1,
					 .blockDimX = 1,
					 .blockDimY = 1,
					 .blockDimZ = 1,
					 .kernelParams = params};
}

static CUgraphNode add_append(CUgraph graph, CUgraphNode after, int *list, int value)
{
	void *params[] = {&list, &value};
	CUDA_KERNEL_NODE_PARAMS node_params = append_params(params);
	CUgraphNode node = NULL;

	OK(cuGraphAddKernelNode(&node, graph, &after, after != NULL, &node_params));
	return node;
}

static void CUDA_CB add_hundred(void *argument)
{
	int *list = argument;

	list[++list[0]] = 100;
}

/* One node of each kind, in a chain that shows in the list; the second word is copied to the
 * third behind a memset of the first. */
static void all_kinds_of_nodes(void)
{
	CUDA_MEMSET_NODE_PARAMS set = {.value = 9, .elementSize = 4, .width = 1, .height = 1};
	CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
			      .dstMemoryType = CU_MEMORYTYPE_HOST,
			      .WidthInBytes = 4,
			      .Height = 1,
			      .Depth = 1};
	CUDA_HOST_NODE_PARAMS host = {.fn = add_hundred};
	CUgraph graph = NULL, child = NULL;
	CUgraphNode node, next = NULL;
	CUstream stream;
	CUevent event;
	CUcontext context = NULL;
	int *list, result = 0;

	test_start();
	stream = make_stream();
	event = make_event();
	OK(cuCtxGetCurrent(&context));
	list = test_pinned(16);
	OK(cuMemAlloc(&set.dst, 4));
	copy.srcDevice = set.dst;
	copy.dstHost = &result;
	host.userData = list;
	OK(cuGraphCreate(&graph, 0));
	OK(cuGraphCreate(&child, 0));
	add_append(child, NULL, list, 50);
	node = add_append(graph, NULL, list, 1);
	OK(cuGraphAddMemsetNode(&next, graph, &node, 1, &set, context));
	OK(cuGraphAddMemcpyNode(&node, graph, &next, 1, &copy, context));
	OK(cuGraphAddHostNode(&next, graph, &node, 1, &host));
	OK(cuGraphAddChildGraphNode(&node, graph, &next, 1, child));
	OK(cuGraphAddEventRecordNode(&next, graph, &node, 1, event));
	OK(cuGraphAddEmptyNode(&node, graph, &next, 1));
	add_append(graph, node, list, 2);
	OK(cuGraphDestroy(child));
	run(instantiate(graph), stream);
	OK(cuEventQuery(event));
	CHECK_EQUAL(result, 9);
	CHECK_EQUAL(list[0], 4);
	CHECK_EQUAL(list[1], 1);
	CHECK_EQUAL(list[2], 100);
	CHECK_EQUAL(list[3], 50);
	CHECK_EQUAL(list[4], 2);
}

static void updates(void)
{
	CUgraph graph = NULL, other = NULL;
	CUgraphExecUpdateResultInfo info;
	CUgraphExec exec;
	CUgraphNode node, found = NULL;
	CUstream stream;
	int *list, value = 5;
	void *params[] = {&list, &value};
	CUDA_KERNEL_NODE_PARAMS changed, read = {0};
	unsigned is_enabled = 1;

	test_start();
	stream = make_stream();
	list = test_pinned(16);
	changed = append_params(params);
	OK(cuGraphCreate(&graph, 0));
	node = add_append(graph, NULL, list, 1);
	OK(cuGraphKernelNodeGetParams(node, &read));
	CHECK(read.func == changed.func);
	CHECK_EQUAL(*(int *)read.kernelParams[1], 1);
	exec = instantiate(graph);
	OK(cuGraphExecKernelNodeSetParams(exec, node, &changed));
	run(exec, stream);
	CHECK_EQUAL(list[1], 5);
	OK(cuGraphClone(&other, graph));
	OK(cuGraphNodeFindInClone(&found, node, other));
	value = 6;
	OK(cuGraphKernelNodeSetParams(found, &changed));
	OK(cuGraphExecUpdate(exec, other, &info));
	CHECK_EQUAL(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
	run(exec, stream);
	CHECK_EQUAL(list[2], 6);
	OK(cuGraphNodeSetEnabled(exec, node, 0));
	OK(cuGraphNodeGetEnabled(exec, node, &is_enabled));
	CHECK_EQUAL(is_enabled, 0);
	run(exec, stream);
	CHECK_EQUAL(list[0], 2);
	add_append(other, found, list, 7);
	CHECK_EQUAL(cuGraphExecUpdate(exec, other, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
	CHECK_EQUAL(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
}

static void cycles_are_refused(void)
{
	CUgraph graph = NULL;
	CUgraphExec exec = NULL;
	CUgraphNode first, second;
	int *list;

	test_start();
	list = test_pinned(4);
	OK(cuGraphCreate(&graph, 0));
	first = add_append(graph, NULL, list, 1);
	second = add_append(graph, first, list, 2);
	OK(cuGraphAddDependencies(graph, &second, &first, NULL, 1));
	CHECK_EQUAL(cuGraphInstantiate(&exec, graph, 0), CUDA_ERROR_INVALID_VALUE);
	OK(cuGraphRemoveDependencies(graph, &second, &first, NULL, 1));
	OK(cuGraphInstantiate(&exec, graph, 0));
	OK(cuGraphDestroyNode(first));
	CHECK_EQUAL(cuGraphDestroyNode(first), CUDA_ERROR_INVALID_VALUE);
}

/* Each of a hundred independent nodes runs once, whatever order the seed gives. */
static void independent_nodes(void)
{
	enum { N = 100 };
	CUgraph graph = NULL;
	CUstream stream;
	int *list, is_in_order = 1;
	char seen[N + 1] = {0};

	test_start();
	stream = make_stream();
	list = test_pinned(N + 1);
	OK(cuGraphCreate(&graph, 0));
	for (int i = 1; i <= N; i++)
		add_append(graph, NULL, list, i);
	run(instantiate(graph), stream);
	CHECK_EQUAL(list[0], N);
	for (int i = 1; i <= N; i++) {
		CHECK(list[i] >= 1 && list[i] <= N && !seen[list[i]]);
		seen[list[i]] = 1;
		is_in_order = is_in_order && list[i] == i;
	}
	CHECK_EQUAL(is_in_order, getenv("SIMCUDA_SEED") == NULL);
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
	{"all_kinds_of_nodes", all_kinds_of_nodes, {NULL}},
	{"updates", updates, {NULL}},
	{"cycles_are_refused", cycles_are_refused, {NULL}},
	{"independent_nodes", independent_nodes, {NULL}},
	{"independent_nodes_with_seed", independent_nodes, {"SIMCUDA_SEED=1"}},
};

TEST_MAIN(cases)
