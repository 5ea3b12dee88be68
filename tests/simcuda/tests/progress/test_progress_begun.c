/*
 * test_progress_begun.c - when and in which order the GPU writes the counters of channels and
 * kernels, and their values after a fault.
 */
#include <pthread.h>
#include <sched.h>

#include "progress_view.h"
#include "test.h"

static struct ground ground;

static void wait_until_begun(unsigned channel, uint32_t payload)
{
	while (view_begun(ground.pages, channel) != payload)
		sched_yield();
}

/* A running kernel has started; work after it, and a wait that holds its stream, have not. */
static void begun_is_not_submitted(void)
{
	view_start(&ground);
	int *flag = test_hold(ground.stream);
	uint32_t held = view_payload(ground.stream);
	wait_until_begun(1, held);
	for (int i = 0; i < 10; i++)
		view_launch_add(&ground, ground.stream);
	CHECK_EQUAL(view_payload(ground.stream), held + 10);
	OK(cuStreamWaitValue32(ground.stream, (CUdeviceptr)ground.pinned, 1, 0));
	view_launch_add(&ground, ground.stream);
	CHECK_EQUAL(view_begun(ground.pages, 1), held);
	test_release(flag);
	wait_until_begun(1, held + 10);
	OK(cuStreamSynchronize(NULL));
	CHECK_EQUAL(view_begun(ground.pages, 1), held + 10);
	test_release(ground.pinned);
	OK(cuStreamSynchronize(ground.stream));
	CHECK_EQUAL(view_begun(ground.pages, 1), held + 12);
}

/* Work waits until everything that its channel accepted earlier has started, on any stream. */
static void sharers_hold_each_other_up(void)
{
	view_start(&ground);
	for (int i = 0; i < 7; i++)
		view_make_stream();
	CUstream other = view_make_stream();
	uint32_t before = view_payload(ground.stream);
	OK(cuStreamWaitValue32(ground.stream, (CUdeviceptr)ground.pinned, 1, 0));
	view_launch_add(&ground, other);
	CHECK_EQUAL(view_payload(other), before + 2);
	CHECK_EQUAL(view_channel(other), 1);
	view_launch_add(&ground, NULL);
	OK(cuStreamSynchronize(NULL));
	CHECK_EQUAL(view_begun(ground.pages, 1), before);
	CHECK_EQUAL(cuStreamQuery(other), CUDA_ERROR_NOT_READY);
	test_release(ground.pinned);
	OK(cuStreamSynchronize(other));
	CHECK_EQUAL(view_begun(ground.pages, 1), before + 2);
}

static void states_of_kernels(void)
{
	const uint32_t *first = NULL;
	const uint32_t *held = NULL;
	view_start(&ground);
	ground.stream = view_make_stream();
	for (unsigned i = 0; i < 20; i++) {
		view_launch_add(&ground, ground.stream);
		first = i % 8 == 0 ? view_state(ground.stream) : first;
		CHECK(view_state(ground.stream) == first + (size_t)2 * (i % 8));
		CHECK_EQUAL(view_entry(ground.stream).pairs[0][1], i / 8);
		OK(cuStreamSynchronize(ground.stream));
		CHECK_EQUAL(view_state_value(view_state(ground.stream)), 4 * (i / 8) + 2);
	}
	int *flag = test_hold(ground.stream);
	held = view_state(ground.stream);
	uint64_t turn = view_entry(ground.stream).pairs[0][1];
	while (view_state_value(held) != 4 * turn + 1)
		sched_yield();
	test_release(flag);
	OK(cuStreamSynchronize(ground.stream));
	CHECK_EQUAL(view_state_value(held), 4 * turn + 2);
}

/* The bad kernel and an innocent one have started and never finish; later work never starts. */
static void what_a_fault_leaves(void)
{
	int value = 1;
	void *params[] = {&value};
	view_start(&ground);
	CUstream innocent = view_make_stream();
	CUstream bad = view_make_stream();
	test_hold(innocent);
	uint32_t innocent_payload = view_payload(innocent);
	const uint32_t *innocent_state = view_state(innocent);
	wait_until_begun(2, innocent_payload);
	view_launch_add(&ground, innocent);
	for (int i = 0; i < 30; i++)
		view_launch_add(&ground, bad);
	OK(test_launch("check", bad, params));
	uint32_t bad_payload = view_payload(bad);
	const uint32_t *bad_state = view_state(bad);
	for (int i = 0; i < 30; i++)
		view_launch_add(&ground, bad);
	CHECK_EQUAL(cuStreamSynchronize(bad), CUDA_ERROR_ASSERT);
	CHECK_EQUAL(view_begun(ground.pages, 3), bad_payload);
	CHECK_EQUAL(view_state_value(bad_state) % 4, 1);
	CHECK_EQUAL(view_begun(ground.pages, 2), innocent_payload);
	CHECK_EQUAL(view_state_value(innocent_state) % 4, 1);
	CHECK(view_pages() == ground.pages);
}

/* When a call has returned the failure, the counters are as the GPU left them. */
static void a_failure_is_not_told_before_late_words(void)
{
	int value = 1;
	void *params[] = {&value};
	view_start(&ground);
	CUstream bad = view_make_stream();
	OK(test_launch("check", bad, params));
	CHECK_EQUAL(cuStreamSynchronize(bad), CUDA_ERROR_ASSERT);
	CHECK_EQUAL(view_begun(ground.pages, 2), view_payload(bad));
	CHECK_EQUAL(view_state_value(view_state(bad)) % 4, 1);
}

enum { N_THREADS = 8, N_ROUNDS = 300 };

static void *submit_many(void *argument)
{
	CUstream own = argument;
	CUcontext context = NULL;
	OK(cuDevicePrimaryCtxRetain(&context, 0));
	OK(cuCtxSetCurrent(context));
	for (int i = 0; i < N_ROUNDS; i++) {
		uint32_t before = view_payload(own);
		view_launch_add(&ground, own);
		CHECK(view_payload(own) > before);
		if (i % 50 != 0)
			continue;
		OK(cuStreamSynchronize(own));
		CHECK((int32_t)(view_begun(ground.pages, view_channel(own)) - view_payload(own)) >=
		      0);
		CHECK_EQUAL(view_state_value(view_state(own)) % 4, 2);
	}
	return NULL;
}

/* With two threads per channel, no payload is lost. */
static void many_threads(void)
{
	view_start(&ground);
	CUstream streams[N_THREADS];
	for (unsigned i = 0; i < N_THREADS; i++) {
		streams[i] = view_make_stream();
		view_launch_add(&ground, streams[i]);
	}
	OK(cuCtxSynchronize());
	uint32_t before[4];
	for (unsigned i = 0; i < 4; i++)
		before[i] = view_begun(ground.pages, i);
	pthread_t threads[N_THREADS];
	for (unsigned i = 0; i < N_THREADS; i++)
		CHECK(pthread_create(&threads[i], NULL, submit_many, streams[i]) == 0);
	for (unsigned i = 0; i < N_THREADS; i++)
		CHECK(pthread_join(threads[i], NULL) == 0);
	OK(cuCtxSynchronize());
	for (unsigned i = 0; i < 4; i++)
		CHECK_EQUAL(view_begun(ground.pages, i) - before[i], 2 * N_ROUNDS);
}

static const struct test_case cases[] = {
	{"begun_is_not_submitted", begun_is_not_submitted, {NULL}},
	{"sharers_hold_each_other_up", sharers_hold_each_other_up, {NULL}},
	{"states_of_kernels", states_of_kernels, {NULL}},
	{"states_of_kernels_one_queue", states_of_kernels, {"SIMCUDA_QUEUES=1"}},
	{"what_a_fault_leaves", what_a_fault_leaves, {NULL}},
	{"a_failure_is_not_told_before_late_words",
	 a_failure_is_not_told_before_late_words,
	 {"SIMCUDA_PROGRESS=lag=2000000000"}},
	{"many_threads", many_threads, {"CUDA_DEVICE_MAX_CONNECTIONS=4"}},
	{"many_threads_with_seed",
	 many_threads,
	 {"CUDA_DEVICE_MAX_CONNECTIONS=4", "SIMCUDA_SEED=7"}},
};

TEST_MAIN(cases)
