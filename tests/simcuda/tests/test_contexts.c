/*
 * test_contexts.c - green contexts, events and waits of whole contexts, and several devices.
 */
#include "test.h"

#include <sched.h>

static CUgreenCtx make_green(CUdevice device)
{
	unsigned n_groups = 1;
	CUdevResource all;
	OK(cuDeviceGetDevResource(device, &all, CU_DEV_RESOURCE_TYPE_SM));
	CUdevResource share;
	OK(cuDevSmResourceSplitByCount(&share, &n_groups, &all, NULL, 0, 9));
	CHECK_EQUAL(n_groups, 1);
	CHECK_EQUAL(share.sm.smCount, 16);
	CUdevResourceDesc description = NULL;
	OK(cuDevResourceGenerateDesc(&description, &share, 1));
	CUgreenCtx green = NULL;
	OK(cuGreenCtxCreate(&green, description, device, CU_GREEN_CTX_DEFAULT_STREAM));
	return green;
}

static CUstream green_stream(CUgreenCtx green)
{
	CUstream stream = NULL;
	OK(cuGreenCtxStreamCreate(&stream, green, CU_STREAM_NON_BLOCKING, 0));
	return stream;
}

static CUevent make_event(void)
{
	CUevent event = NULL;
	OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	return event;
}

static CUcontext current(void)
{
	CUcontext context = NULL;
	OK(cuCtxGetCurrent(&context));
	return context;
}

static void green_identity(void)
{
	test_start();
	CUcontext primary = current();
	CUgreenCtx green = make_green(0);
	CHECK(current() == primary);
	OK(cuCtxSetCurrent(NULL));
	CUcontext converted = NULL;
	OK(cuCtxFromGreenCtx(&converted, green));
	OK(cuCtxSetCurrent(primary));
	CHECK(converted != primary);
	CUstream stream = green_stream(green);
	CUcontext told = NULL;
	OK(cuStreamGetCtx(stream, &told));
	CHECK(told == converted);
	CUgreenCtx told_green = NULL;
	OK(cuStreamGetCtx_v2(stream, &told, &told_green));
	CHECK(told == primary && told_green == green);
	OK(cuStreamGetGreenCtx(NULL, &told_green));
	CHECK(told_green == NULL);
	OK(cuCtxSetCurrent(converted));
	OK(cuStreamGetGreenCtx(NULL, &told_green));
	CHECK(told_green == green);
	CHECK_EQUAL(cuStreamSynchronize(CU_STREAM_PER_THREAD), CUDA_ERROR_INVALID_HANDLE);
	CHECK_EQUAL(cuGreenCtxStreamCreate(&stream, green, CU_STREAM_DEFAULT, 0),
		    CUDA_ERROR_INVALID_VALUE);
	CHECK_EQUAL(cuCtxDestroy(converted), CUDA_ERROR_INVALID_CONTEXT);
}

/* Synchronising a primary context includes its green contexts, but not the other way round. */
static void green_synchronize(void)
{
	test_start();
	CUcontext primary = current();
	CUgreenCtx green = make_green(0);
	CUstream stream = green_stream(green);
	CUevent event = make_event();
	CUcontext converted = NULL;
	OK(cuCtxFromGreenCtx(&converted, green));
	int *primary_flag = test_hold(NULL);
	OK(cuCtxSetCurrent(converted));
	OK(cuCtxSynchronize());
	test_release(primary_flag);
	OK(cuCtxSetCurrent(primary));
	OK(cuCtxSynchronize());
	int *green_flag = test_hold(stream);
	OK(cuStreamSynchronize(NULL));
	OK(cuCtxRecordEvent(primary, event));
	CHECK_EQUAL(cuEventQuery(event), CUDA_ERROR_NOT_READY);
	test_release(green_flag);
	OK(cuCtxSynchronize());
	OK(cuEventQuery(event));
	OK(cuStreamQuery(stream));
}

/* An event of a green context covers only its work; a wait also covers its later streams. */
static void green_events(void)
{
	test_start();
	CUgreenCtx first = make_green(0);
	CUgreenCtx second = make_green(0);
	CUstream stream = green_stream(first);
	CUstream waiting = green_stream(second);
	CUevent event = make_event();
	int *held = test_hold(NULL);
	int *flag = test_hold(stream);
	OK(cuGreenCtxRecordEvent(first, event));
	OK(cuGreenCtxWaitEvent(second, event));
	CUstream later = green_stream(second);
	CHECK_EQUAL(cuStreamQuery(waiting), CUDA_ERROR_NOT_READY);
	CHECK_EQUAL(cuStreamQuery(later), CUDA_ERROR_NOT_READY);
	test_release(flag);
	OK(cuEventSynchronize(event));
	OK(cuStreamSynchronize(waiting));
	OK(cuStreamSynchronize(later));
	CHECK_EQUAL(cuStreamQuery(NULL), CUDA_ERROR_NOT_READY);
	test_release(held);
}

/* The last user ends a primary context, and the handle of a destroyed green context is reused. */
static void green_destroy(void)
{
	int active = 0;
	int *flag = NULL;
	test_start();
	CUgreenCtx green = make_green(0);
	CUcontext converted = NULL;
	OK(cuCtxFromGreenCtx(&converted, green));
	CUstream stream = green_stream(green);
	flag = test_hold(stream);
	OK(cuGreenCtxDestroy(green));
	CHECK_EQUAL(cuStreamQuery(stream), CUDA_ERROR_CONTEXT_IS_DESTROYED);
	CHECK_EQUAL(cuStreamDestroy(stream), CUDA_ERROR_CONTEXT_IS_DESTROYED);
	CHECK_EQUAL(cuGreenCtxDestroy(green), CUDA_ERROR_INVALID_CONTEXT);
	test_release(flag);
	green = make_green(0);
	CUcontext again = NULL;
	OK(cuCtxFromGreenCtx(&again, green));
	CHECK(again == converted);
	OK(cuStreamSynchronize(green_stream(green)));
	OK(cuDevicePrimaryCtxRelease(0));
	unsigned flags = 0;
	OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	CHECK_EQUAL(active, 1);
	OK(cuGreenCtxDestroy(green));
	OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	CHECK_EQUAL(active, 0);
}

static CUcontext second_device(void)
{
	CUcontext context = NULL;
	OK(cuDevicePrimaryCtxRetain(&context, 1));
	return context;
}

/* A stream can wait for an event of another device, but cannot record it. */
static void devices_wait(void)
{
	test_start();
	CUcontext second = second_device();
	CUevent event = make_event();
	int *flag = test_hold(NULL);
	OK(cuEventRecord(event, NULL));
	OK(cuCtxSetCurrent(second));
	CUdevice device = 0;
	OK(cuCtxGetDevice(&device));
	CHECK_EQUAL(device, 1);
	CHECK_EQUAL(cuEventRecord(event, NULL), CUDA_ERROR_INVALID_HANDLE);
	OK(cuStreamWaitEvent(NULL, event, 0));
	CHECK_EQUAL(cuStreamQuery(NULL), CUDA_ERROR_NOT_READY);
	test_release(flag);
	OK(cuCtxSynchronize());
}

/* Work of device 1 continues, but every call returns the failure. */
static void devices_fail_alone(void)
{
	test_start();
	CUcontext first = current();
	CUcontext second = second_device();
	OK(cuCtxSetCurrent(second));
	int *words = test_pinned(2);
	OK(cuStreamWaitValue32(NULL, (CUdeviceptr)&words[0], 1, CU_STREAM_WAIT_VALUE_EQ));
	OK(cuStreamWriteValue32(NULL, (CUdeviceptr)&words[1], 5, 0));
	OK(cuCtxSetCurrent(first));
	test_fault(NULL);
	CHECK_EQUAL(test_first_error(cuCtxSynchronize), CUDA_ERROR_ILLEGAL_ADDRESS);
	__atomic_store_n(&words[0], 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&words[1], __ATOMIC_ACQUIRE) != 5)
		sched_yield();
	OK(cuCtxSetCurrent(second));
	CHECK_EQUAL(cuStreamQuery(NULL), CUDA_ERROR_ILLEGAL_ADDRESS);
}

static const struct test_case cases[] = {
	{"green_identity", green_identity, {NULL}},
	{"green_synchronize", green_synchronize, {NULL}},
	{"green_events", green_events, {NULL}},
	{"green_destroy", green_destroy, {NULL}},
	{"devices_wait", devices_wait, {"SIMCUDA_DEVICES=2"}},
	{"devices_fail_alone", devices_fail_alone, {"SIMCUDA_DEVICES=2"}},
};

TEST_MAIN(cases)
