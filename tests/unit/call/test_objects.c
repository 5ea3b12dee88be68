/*
 * test_objects.c - what the calls that create and destroy streams, events and graphs, or capture,
 * make the recorder do, and in which order: all of it is compared.
 */
#include "call/call_parts.h"

#include "call/describe.h"
#include "call/objects_code.h"
#include "record/driver/captures.h"
#include "record/driver/driver.h"
#include "record/green_contexts.h"
#include "record/streams/context_making.h"
#include "record/streams/events.h"
#include "record/streams/markers.h"
#include "record/streams/stream_rows.h"
#include "record/streams/streams.h"
#include "support/check.h"

enum { STREAM = 0x10, PER_THREAD_STREAM = 0x11, EVENT = 0x20, GRAPH = 0x30, GREEN = 0x40 };
enum { UNKNOWN_STREAM = 0x50, TID = 7 };

uint64_t streams_generation;
int captures_under_way;

static struct context green = {.handle = HANDLE(CUcontext, 2)};
static struct stream stream = {.handle = HANDLE(CUstream, STREAM)};
static struct stream own_stream = {.handle = HANDLE(CUstream, PER_THREAD_STREAM)};
static bool are_markers_wanted = true, is_capturing;

void events_distrust(void)
{
	trace_add("distrust\n");
}

void events_forgotten(CUevent event)
{
	trace_add("event %x\n", number(event));
}

void streams_created(CUstream handle)
{
	trace_add("created %x\n", number(handle));
}

void streams_destroying(CUstream handle, uint32_t tid)
{
	CHECK_EQUAL(tid, TID);
	CHECK_EQUAL(objects_thread.coming, GRACE_ELSEWHERE);
	trace_add("destroying %x\n", number(handle));
}

void streams_destroyed(CUstream handle, bool has_gone)
{
	trace_add("destroyed %x: %d\n", number(handle), has_gone);
}

struct stream *streams_find(struct stream_cache *cache, CUstream handle, bool is_default_per_thread)
{
	CHECK(cache == &objects_thread.streams);
	trace_add("find %x\n", number(handle));
	if (number(handle) == UNKNOWN_STREAM)
		return NULL;
	return is_default_per_thread ? &own_stream : &stream;
}

void streams_note_lost(void)
{
	trace_add("lost\n");
}

CUstream describe_stream(const struct call *call)
{
	int offset = driver_calls[call->id].stream_offset;
	CHECK(offset != NO_STREAM_ARGUMENT);
	return *(const CUstream *)((const char *)call->args + offset);
}

void graph_destroy_before(struct call *call)
{
	CHECK(call->thread == &objects_thread);
	trace_add("graph\n");
}

void graph_instantiated(struct call *call)
{
	CHECK(call->thread == &objects_thread);
	trace_add("instantiated\n");
}

CUcontext green_contexts_handle(CUgreenCtx handle)
{
	CHECK_EQUAL(number(handle), GREEN);
	return HANDLE(CUcontext, 5);
}

struct context *contexts_known(CUcontext handle)
{
	CHECK_EQUAL(number(handle), 5);
	return &green;
}

struct context *prepare_context(struct context *context)
{
	trace_add("prepare %x\n", context ? number(context->handle) : 0);
	return context;
}

void memory_pool_after(const struct call *call)
{
	CHECK(call->thread == &objects_thread);
	trace_add("pool\n");
}

bool markers_are_wanted(void)
{
	return are_markers_wanted;
}

void context_making_grow(struct context *context)
{
	trace_add("grow %x\n", number(context->handle));
}

bool captures_ask(CUstream handle)
{
	trace_add("ask %x\n", number(handle));
	return is_capturing;
}

void captures_started(void)
{
	trace_add("started\n");
}

void captures_finished(void)
{
	trace_add("finished\n");
}

void captures_started_graphics(CUstream handle)
{
	trace_add("graphics start on %x\n", number(handle));
}

void captures_finished_graphics(CUstream handle)
{
	trace_add("graphics finish on %x\n", number(handle));
}

static void create(enum driver_call id, const void *args, CUresult result)
{
	struct call call = {.id = id, .args = args, .thread = &objects_thread};
	object_create_after(&call, result);
}

static void cleanup(enum driver_call id, const void *args, CUresult result)
{
	struct call call = {.id = id, .args = args, .thread = &objects_thread};
	objects_thread.coming = GRACE_COMING;
	object_cleanup_before(&call);
	trace_add("--\n");
	object_cleanup_after(&call, result);
	CHECK_EQUAL(objects_thread.coming, GRACE_ELSEWHERE);
}

static void capture(enum driver_call id, const void *args, CUresult result)
{
	struct call call = {.id = id, .args = args, .thread = &objects_thread};
	object_capture_before(&call);
	trace_add("--\n");
	is_capturing = false;
	object_capture_after(&call, result);
}

#define ARGS(name, ...)             \
	&(const struct args_##name) \
	{                           \
		__VA_ARGS__         \
	}
#define CREATE(result, name, ...)  create(CALL_##name, ARGS(name, __VA_ARGS__), result)
#define CLEANUP(result, name, ...) cleanup(CALL_##name, ARGS(name, __VA_ARGS__), result)
#define CAPTURE(result, name, ...) capture(CALL_##name, ARGS(name, __VA_ARGS__), result)

static void test_streams(void)
{
	CUstream made = HANDLE(CUstream, STREAM);
	CREATE(CUDA_SUCCESS, cuStreamCreate, .phStream = &made);
	CHECK_TRACE("created 10\nprepare 1\npool\ngrow 1\n");
	CREATE(CUDA_SUCCESS, cuStreamCreateWithPriority, .phStream = &made);
	CHECK_TRACE("created 10\nprepare 1\npool\ngrow 1\n");
	CREATE(CUDA_SUCCESS, cuGreenCtxStreamCreate, .phStream = &made,
	       .greenCtx = HANDLE(CUgreenCtx, GREEN));
	CHECK_TRACE("created 10\nprepare 2\npool\ngrow 2\n");
	CREATE(CUDA_ERROR_INVALID_VALUE, cuStreamCreate, .phStream = &made);
	CHECK_TRACE("");
	are_markers_wanted = false;
	CREATE(CUDA_SUCCESS, cuStreamCreate, .phStream = &made);
	CHECK_TRACE("created 10\nprepare 1\npool\n");
	are_markers_wanted = true;
	has_objects_context = false;
	CREATE(CUDA_SUCCESS, cuStreamCreate, .phStream = &made);
	CHECK_TRACE("created 10\nprepare 0\npool\n");
	has_objects_context = true;
}

static void test_other_creations(void)
{
	CUevent made = HANDLE(CUevent, EVENT);
	CREATE(CUDA_SUCCESS, cuEventCreate, .phEvent = &made);
	CHECK_TRACE("event 20\nprepare 1\npool\n");
	CREATE(CUDA_ERROR_INVALID_VALUE, cuEventCreate, .phEvent = &made);
	CHECK_TRACE("");
	CREATE(CUDA_SUCCESS, cuIpcOpenEventHandle, .phEvent = &made);
	CHECK_TRACE("distrust\nprepare 1\npool\n");
	CREATE(CUDA_ERROR_INVALID_VALUE, cuIpcOpenEventHandle, .phEvent = &made);
	CHECK_TRACE("distrust\n");
}

static void test_cleanup(void)
{
	CLEANUP(CUDA_SUCCESS, cuStreamDestroy, .hStream = HANDLE(CUstream, STREAM));
	CHECK_TRACE("destroying 10\n--\ndestroyed 10: 1\n");
	CLEANUP(CUDA_SUCCESS, cuStreamDestroy_v2, .hStream = HANDLE(CUstream, STREAM));
	CHECK_TRACE("destroying 10\n--\ndestroyed 10: 1\n");
	CLEANUP(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy_v2, .hStream = HANDLE(CUstream, STREAM));
	CHECK_TRACE("destroying 10\n--\ndestroyed 10: 0\n");
	CLEANUP(CUDA_SUCCESS, cuEventDestroy, .hEvent = HANDLE(CUevent, EVENT));
	CLEANUP(CUDA_SUCCESS, cuEventDestroy_v2, .hEvent = HANDLE(CUevent, EVENT));
	CHECK_TRACE("event 20\n--\nevent 20\n--\n");
	CLEANUP(CUDA_SUCCESS, cuGraphDestroy, .hGraph = HANDLE(CUgraph, GRAPH));
	CLEANUP(CUDA_SUCCESS, cuGraphExecDestroy, .hGraphExec = HANDLE(CUgraphExec, GRAPH));
	CHECK_TRACE("graph\nwait\n--\ngraph\nwait\n--\n");
	CLEANUP(CUDA_SUCCESS, cuArrayDestroy, .hArray = HANDLE(CUarray, GRAPH));
	CHECK_TRACE("--\n");
}

/* Each way to begin a capture, and what a failure of it says. */
static void test_captures_begin(void)
{
	CUstream handle = HANDLE(CUstream, STREAM);
	CAPTURE(CUDA_SUCCESS, cuStreamBeginCapture, .hStream = handle);
	CHECK_TRACE("find 10\n--\nstarted\n");
	CAPTURE(CUDA_SUCCESS, cuStreamBeginCapture_v2, .hStream = handle);
	CHECK_TRACE("find 10\n--\nstarted\n");
	CAPTURE(CUDA_SUCCESS, cuStreamBeginCaptureToGraph, .hStream = handle);
	CHECK_TRACE("find 10\n--\nstarted\n");
	CAPTURE(CUDA_SUCCESS, cuStreamBeginRecaptureToGraph, .hStream = handle);
	CHECK_TRACE("find 10\n--\nstarted\n");
	CAPTURE(CUDA_ERROR_INVALID_VALUE, cuStreamBeginCapture_v2, .hStream = handle);
	CHECK_TRACE("find 10\n--\n");
	CAPTURE(CUDA_SUCCESS, cuStreamBeginCaptureToCig, .hStream = handle);
	CHECK_TRACE("find 10\n--\ngraphics start on 10\nlost\n");
	CAPTURE(CUDA_ERROR_INVALID_VALUE, cuStreamBeginCaptureToCig, .hStream = handle);
	CHECK_TRACE("find 10\n--\n");
	CAPTURE(CUDA_SUCCESS, cuStreamEndCaptureToCig, .hStream = handle);
	CHECK_TRACE("find 10\n--\ngraphics finish on 10\n");
	CAPTURE(CUDA_ERROR_INVALID_VALUE, cuStreamEndCaptureToCig, .hStream = handle);
	CHECK_TRACE("find 10\n--\n");
}

/* A capture finishes if the stream captures before the call, and does not after it. */
static void test_captures_end(void)
{
	CUstream handle = HANDLE(CUstream, STREAM);
	CUgraph graph = NULL;
	CAPTURE(CUDA_SUCCESS, cuStreamEndCapture, .hStream = handle, .phGraph = &graph);
	CHECK_TRACE("find 10\n--\n");
	captures_under_way = 1;
	CAPTURE(CUDA_SUCCESS, cuStreamEndCapture, .hStream = handle, .phGraph = &graph);
	CHECK_TRACE("find 10\nask 10\n--\n");
	is_capturing = true;
	CAPTURE(CUDA_SUCCESS, cuStreamEndCapture, .hStream = handle, .phGraph = &graph);
	CHECK_TRACE("find 10\nask 10\n--\nask 10\nfinished\n");
	is_capturing = true;
	CAPTURE(CUDA_ERROR_UNKNOWN, cuStreamEndCapture_ptsz, .hStream = handle, .phGraph = &graph);
	CHECK_TRACE("find 10\nask 11\n--\nask 11\nfinished\n");
	is_capturing = true;
	CAPTURE(CUDA_SUCCESS, cuStreamBeginCapture_v2, .hStream = handle);
	CHECK_TRACE("find 10\n--\nstarted\n");
	is_capturing = true;
	CAPTURE(CUDA_SUCCESS, cuStreamEndCapture, .hStream = HANDLE(CUstream, UNKNOWN_STREAM));
	CHECK_TRACE("find 50\n--\n");
	struct call call = {
		.id = CALL_cuStreamEndCapture, .thread = &objects_thread, .capturing = &stream};
	is_capturing = true;
	object_capture_after(&call, CUDA_SUCCESS);
	CHECK_TRACE("ask 10\n");
}

static void test_instantiations(void)
{
	CUgraphExec made = HANDLE(CUgraphExec, GRAPH);
	CAPTURE(CUDA_SUCCESS, cuGraphInstantiateWithFlags, .phGraphExec = &made);
	CHECK_TRACE("--\ninstantiated\n");
	CAPTURE(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiateWithFlags, .phGraphExec = &made);
	CHECK_TRACE("--\n");
}

int main(void)
{
	test_streams();
	test_other_creations();
	test_cleanup();
	test_captures_begin();
	test_captures_end();
	test_instantiations();
	test_objects_code();
	return 0;
}
