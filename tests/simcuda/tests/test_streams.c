/*
 * test_streams.c - order within and between streams: default streams, memory operations, host
 * functions, and the depth of queues.
 */
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

static CUstream make_stream(unsigned flags)
{
	CUstream stream = NULL;
	OK(cuStreamCreate(&stream, flags));
	return stream;
}

static CUevent make_event(void)
{
	CUevent event = NULL;
	OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
	return event;
}

static void append(CUstream stream, int *list, int value)
{
	void *params[] = {&list, &value};
	OK(test_launch("append", stream, params));
}

static void write_word(CUstream stream, int *word, unsigned value)
{
	OK(cuStreamWriteValue32(stream, (CUdeviceptr)word, value, 0));
}

static int read_word(int *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static void in_order(void)
{
	test_start();
	CUstream stream = make_stream(CU_STREAM_NON_BLOCKING);
	int *list = test_pinned(2001);
	for (int i = 1; i <= 2000; i++)
		append(stream, list, i);
	OK(cuStreamSynchronize(stream));
	for (int i = 1; i <= 2000; i++)
		CHECK_EQUAL(list[i], i);
	CHECK_EQUAL(list[0], 2000);
}

static void query_tells_unfinished(void)
{
	test_start();
	CUstream stream = make_stream(CU_STREAM_NON_BLOCKING);
	OK(cuStreamQuery(stream));
	int *flag = test_hold(stream);
	CHECK_EQUAL(cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
	test_release(flag);
	OK(cuStreamSynchronize(stream));
	OK(cuStreamQuery(stream));
}

/* A held stream blocks the legacy stream, which blocks all other streams except non-blocking ones.
 */
static void legacy_barriers(void)
{
	test_start();
	CUstream before = make_stream(CU_STREAM_DEFAULT);
	CUstream after = make_stream(CU_STREAM_DEFAULT);
	CUstream apart = make_stream(CU_STREAM_NON_BLOCKING);
	int *list = test_pinned(8);
	int *other = test_pinned(8);
	int *flag = test_hold(before);
	append(before, list, 1);
	append(NULL, list, 2);
	append(after, list, 3);
	append(apart, other, 9);
	OK(cuStreamSynchronize(apart));
	CHECK_EQUAL(other[1], 9);
	CHECK_EQUAL(list[0], 0);
	CHECK_EQUAL(cuStreamQuery(after), CUDA_ERROR_NOT_READY);
	CHECK_EQUAL(cuStreamQuery(CU_STREAM_LEGACY), CUDA_ERROR_NOT_READY);
	test_release(flag);
	OK(cuStreamSynchronize(after));
	for (int i = 1; i <= 3; i++)
		CHECK_EQUAL(list[i], i);
}

/* The legacy stream does not hold work that a blocking stream got earlier. */
static void legacy_holds_only_later_work(void)
{
	test_start();
	CUstream stream = make_stream(CU_STREAM_DEFAULT);
	int *word = test_pinned(1);
	write_word(stream, word, 1);
	int *flag = test_hold(CU_STREAM_LEGACY);
	OK(cuStreamSynchronize(stream));
	CHECK_EQUAL(read_word(word), 1);
	write_word(stream, word, 2);
	CHECK_EQUAL(cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
	test_release(flag);
	OK(cuStreamSynchronize(stream));
	CHECK_EQUAL(read_word(word), 2);
}

CUresult cuStreamWriteValue32_v2_ptsz(CUstream, CUdeviceptr, cuuint32_t, unsigned);
CUresult cuStreamSynchronize_ptsz(CUstream);
CUresult cuStreamGetId_ptsz(CUstream, unsigned long long *);

static void *write_on_own_default_stream(void *argument)
{
	CUcontext context = NULL;
	OK(cuDevicePrimaryCtxRetain(&context, 0));
	OK(cuCtxSetCurrent(context));
	OK(cuStreamWriteValue32_v2_ptsz(NULL, (CUdeviceptr)argument, 7, 0));
	OK(cuStreamSynchronize_ptsz(NULL));
	return NULL;
}

/* Another thread's default stream does not wait for this thread's held one. */
static void per_thread_streams(void)
{
	unsigned long long named = 0;
	unsigned long long implied = 0;
	unsigned long long legacy = 0;
	test_start();
	int *word = test_pinned(1);
	OK(cuStreamGetId(CU_STREAM_PER_THREAD, &named));
	OK(cuStreamGetId_ptsz(NULL, &implied));
	OK(cuStreamGetId(NULL, &legacy));
	CHECK_EQUAL(named, implied);
	CHECK(named != legacy);
	int *flag = test_hold(CU_STREAM_PER_THREAD);
	pthread_t thread = 0;
	CHECK(pthread_create(&thread, NULL, write_on_own_default_stream, word) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
	CHECK_EQUAL(read_word(word), 7);
	CHECK_EQUAL(cuStreamQuery(CU_STREAM_PER_THREAD), CUDA_ERROR_NOT_READY);
	test_release(flag);
	OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
}

static void memory_operations(void)
{
	CUstreamBatchMemOpParams list[2] = {0};
	CUdeviceptr device = 0;
	int *words = NULL;
	int copy = 0;
	test_start();
	CUstream stream = make_stream(CU_STREAM_NON_BLOCKING);
	words = test_pinned(4);
	OK(cuMemAlloc(&device, 4));
	OK(cuStreamWaitValue32(stream, (CUdeviceptr)&words[0], 5, CU_STREAM_WAIT_VALUE_GEQ));
	list[0].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
	list[0].waitValue.address = (CUdeviceptr)&words[1];
	list[0].waitValue.value = 3;
	list[0].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
	list[1].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
	list[1].writeValue.address = device;
	list[1].writeValue.value = 42;
	OK(cuStreamBatchMemOp(stream, 2, list, 0));
	OK(cuStreamWriteValue64(stream, (CUdeviceptr)&words[2], UINT64_C(1) << 40, 0));
	__atomic_store_n(&words[1], 3, __ATOMIC_RELEASE);
	CHECK_EQUAL(cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
	__atomic_store_n(&words[0], 6, __ATOMIC_RELEASE);
	OK(cuStreamSynchronize(stream));
	CHECK_EQUAL(*(long long *)&words[2], 1LL << 40);
	OK(cuMemcpyDtoH(&copy, device, 4));
	CHECK_EQUAL(copy, 42);
	CHECK_EQUAL(cuStreamWriteValue32(stream, (CUdeviceptr)&copy, 1, 0),
		    CUDA_ERROR_INVALID_VALUE);
	CHECK_EQUAL(cuStreamWriteValue32(stream, (CUdeviceptr)words, 1,
					 CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER),
		    CUDA_ERROR_INVALID_VALUE);
}

/* 4,000 operations take the GPU 8 ms. Time in which the process has no processor does not count. */
static void operations_take_time_of_the_process(void)
{
	enum { N_BATCHES = 16, N_OPERATIONS = 250 };
	static const struct timespec pause = {.tv_nsec = 15000000};
	CUstreamBatchMemOpParams list[N_OPERATIONS] = {0};
	test_start();
	CUstream stream = make_stream(CU_STREAM_NON_BLOCKING);
	int *word = test_pinned(1);
	for (int i = 0; i < N_OPERATIONS; i++) {
		list[i].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
		list[i].writeValue.address = (CUdeviceptr)word;
	}
	for (int i = 0; i < N_BATCHES; i++) {
		list[N_OPERATIONS - 1].writeValue.value = i == N_BATCHES - 1;
		OK(cuStreamBatchMemOp(stream, N_OPERATIONS, list, 0));
	}
	nanosleep(&pause, NULL);
	CHECK_EQUAL(read_word(word), 0);
	OK(cuStreamSynchronize(stream));
	CHECK_EQUAL(read_word(word), 1);
}

struct host_state {
	int *list;
	CUresult call_result;
};

static void CUDA_CB note_in_list(void *argument)
{
	struct host_state *state = argument;
	state->list[++state->list[0]] = 2;
	state->call_result = cuCtxSynchronize();
}

static void CUDA_CB note_stream(CUstream stream, CUresult status, void *argument)
{
	struct host_state *state = argument;
	(void)stream;
	CHECK_EQUAL(status, CUDA_SUCCESS);
	state->list[++state->list[0]] = 4;
}

static void host_functions(void)
{
	struct host_state state = {0};
	test_start();
	CUstream stream = make_stream(CU_STREAM_NON_BLOCKING);
	state.list = test_pinned(8);
	append(stream, state.list, 1);
	OK(cuLaunchHostFunc(stream, note_in_list, &state));
	append(stream, state.list, 3);
	OK(cuStreamAddCallback(stream, note_stream, &state, 0));
	OK(cuStreamSynchronize(stream));
	for (int i = 1; i <= 4; i++)
		CHECK_EQUAL(state.list[i], i);
	CHECK_EQUAL(state.call_result, CUDA_ERROR_NOT_PERMITTED);
}

/* With far more streams than queues, waiting streams must not block the others. */
static void thousands_of_streams(void)
{
	enum { N = 2000 };
	static CUstream streams[N];
	test_start();
	int *words = test_pinned(N + 1);
	CUevent event = make_event();
	for (int i = 0; i < N; i++) {
		streams[i] = make_stream(CU_STREAM_NON_BLOCKING);
		OK(cuStreamWaitValue32(streams[i], (CUdeviceptr)&words[0], 1, 0));
		write_word(streams[i], &words[i + 1], (unsigned)i);
	}
	OK(cuStreamWriteValue32(NULL, (CUdeviceptr)&words[0], 1, 0));
	for (int i = 0; i < N; i++)
		OK(cuStreamDestroy(streams[i]));
	OK(cuCtxSynchronize());
	for (int i = 0; i < N; i++)
		CHECK_EQUAL(read_word(&words[i + 1]), i);
	CHECK_EQUAL(cuStreamQuery(streams[0]), CUDA_ERROR_INVALID_HANDLE);
	OK(cuEventDestroy(event));
	CHECK_EQUAL(cuEventQuery(event), CUDA_ERROR_INVALID_HANDLE);
}

struct filler {
	int *list;
	CUstream stream;
	int *n_launched;
};

static void *fill_queue(void *argument)
{
	struct filler *filler = argument;
	CUcontext context = NULL;
	OK(cuDevicePrimaryCtxRetain(&context, 0));
	OK(cuCtxSetCurrent(context));
	for (int i = 1; i <= 30; i++) {
		append(filler->stream, filler->list, i);
		__atomic_store_n(filler->n_launched, i, __ATOMIC_RELEASE);
	}
	return NULL;
}

/* A held kernel and 15 more fill a queue of 16; the next launch waits for room. */
static void full_queue_blocks(void)
{
	struct filler filler = {0};
	test_start();
	filler.stream = make_stream(CU_STREAM_NON_BLOCKING);
	filler.list = test_pinned(31);
	filler.n_launched = test_pinned(1);
	int *flag = test_hold(filler.stream);
	pthread_t thread = 0;
	CHECK(pthread_create(&thread, NULL, fill_queue, &filler) == 0);
	while (read_word(filler.n_launched) < 15)
		sched_yield();
	/* The launch must wait however long this sleeps, so the check cannot fail by chance. */
	usleep(20000);
	CHECK_EQUAL(read_word(filler.n_launched), 15);
	test_release(flag);
	CHECK(pthread_join(thread, NULL) == 0);
	OK(cuStreamSynchronize(filler.stream));
	CHECK_EQUAL(filler.list[0], 30);
}

static const struct test_case cases[] = {
	{"in_order", in_order, {NULL}},
	{"in_order_with_seed", in_order, {"SIMCUDA_SEED=3", "SIMCUDA_DELAY_US=20"}},
	{"query_tells_unfinished", query_tells_unfinished, {NULL}},
	{"legacy_barriers", legacy_barriers, {NULL}},
	{"legacy_barriers_with_seed", legacy_barriers, {"SIMCUDA_SEED=5", "SIMCUDA_DELAY_US=500"}},
	{"legacy_holds_only_later_work", legacy_holds_only_later_work, {NULL}},
	{"per_thread_streams", per_thread_streams, {NULL}},
	{"operations_take_time_of_the_process", operations_take_time_of_the_process, {NULL}},
	{"memory_operations", memory_operations, {NULL}},
	{"host_functions", host_functions, {NULL}},
	/* Without counters, streams that share a channel do not block each other. */
	{"thousands_of_streams", thousands_of_streams, {"SIMCUDA_PROGRESS=none"}},
	{"full_queue_blocks", full_queue_blocks, {"SIMCUDA_QUEUE_DEPTH=16"}},
};

TEST_MAIN(cases)
