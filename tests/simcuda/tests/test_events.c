/*
 * test_events.c - events: recording, waiting, and the time between them.
 */
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

static void event_orders_streams(void)
{
	test_start();
	CUstream first = make_stream(CU_STREAM_NON_BLOCKING);
	CUstream second = make_stream(CU_STREAM_NON_BLOCKING);
	CUevent event = make_event();
	int *list = test_pinned(8);
	OK(cuEventQuery(event));
	int *flag = test_hold(first);
	append(first, list, 1);
	OK(cuEventRecord(event, first));
	OK(cuStreamWaitEvent(second, event, 0));
	append(second, list, 2);
	CHECK_EQUAL(cuEventQuery(event), CUDA_ERROR_NOT_READY);
	test_release(flag);
	OK(cuStreamSynchronize(second));
	OK(cuEventQuery(event));
	CHECK_EQUAL(list[1], 1);
	CHECK_EQUAL(list[2], 2);
}

/* A wait refers to the recording at the time of the call, not to later ones. */
static void event_wait_takes_state_at_call(void)
{
	test_start();
	CUstream idle = make_stream(CU_STREAM_NON_BLOCKING);
	CUstream held = make_stream(CU_STREAM_NON_BLOCKING);
	CUstream waiting = make_stream(CU_STREAM_NON_BLOCKING);
	CUevent event = make_event();
	int *flag = test_hold(held);
	OK(cuEventRecord(event, idle));
	OK(cuStreamWaitEvent(waiting, event, 0));
	OK(cuEventRecord(event, held));
	OK(cuStreamSynchronize(waiting));
	CHECK_EQUAL(cuEventQuery(event), CUDA_ERROR_NOT_READY);
	test_release(flag);
	OK(cuEventSynchronize(event));
}

static void event_times(void)
{
	unsigned duration_us = 20000;
	void *params[] = {&duration_us};
	float ms = 0;
	test_start();
	CUevent start = make_event();
	CUevent end = make_event();
	CUevent untimed = NULL;
	OK(cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
	OK(cuEventRecord(start, NULL));
	int *flag = test_hold(NULL);
	OK(test_launch("spin", NULL, params));
	OK(cuEventRecord(end, NULL));
	CHECK_EQUAL(cuEventElapsedTime(&ms, start, end), CUDA_ERROR_NOT_READY);
	test_release(flag);
	OK(cuEventSynchronize(end));
	OK(cuEventElapsedTime(&ms, start, end));
	CHECK(ms >= 20);
	OK(cuEventRecord(untimed, NULL));
	OK(cuEventSynchronize(untimed));
	CHECK_EQUAL(cuEventElapsedTime(&ms, start, untimed), CUDA_ERROR_INVALID_HANDLE);
}

static const struct test_case cases[] = {
	{"event_orders_streams", event_orders_streams, {NULL}},
	{"event_orders_streams_with_seed",
	 event_orders_streams,
	 {"SIMCUDA_SEED=7", "SIMCUDA_DELAY_US=500", "SIMCUDA_MARKER_DELAY_US=500"}},
	{"event_wait_takes_state_at_call", event_wait_takes_state_at_call, {NULL}},
	{"event_times", event_times, {NULL}},
};

TEST_MAIN(cases)
