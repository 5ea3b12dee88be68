/*
 * test_context_stages.c - what the calls about contexts and checkpoints make the recorder do, and
 * in which order: all of it is compared.
 */
#include "call/call_parts.h"

#include <unistd.h>

#include "check/check.h"
#include "record/checkpoint.h"
#include "record/context_end.h"
#include "record/driver/driver.h"
#include "record/green_contexts.h"
#include "record/objects/functions.h"
#include "record/objects/images.h"
#include "record/streams/contexts.h"
#include "record/thread.h"
#include "support/check.h"

enum { CONTEXT = 0x10, PRIMARY = 0x20, GREEN = 0x30, OTHER = 0x40, TID = 7, DEVICE = 3 };
#define HANDLE(type, number) ((type)(uintptr_t)(number))

struct driver real;

static struct thread thread = {.tid = TID};
static struct context primary = {.handle = HANDLE(CUcontext, PRIMARY), .device = DEVICE};
static struct context green = {.handle = HANDLE(CUcontext, GREEN), .primary = &primary};
static struct context current;
static bool is_active, is_attached, is_green_known;

static unsigned number(const void *handle)
{
	return (unsigned)(uintptr_t)handle;
}

static CUresult CUDAAPI get_state(CUdevice device, unsigned int *flags, int *active)
{
	CHECK(flags);
	trace_add("state of device %d\n", device);
	*active = is_active;
	return CUDA_SUCCESS;
}

static CUresult CUDAAPI get_version(CUcontext context, unsigned int *version)
{
	CHECK(version);
	trace_add("version of %x\n", number(context));
	return is_attached ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

void checkpoint_begins(void)
{
	trace_add("checkpoint\n");
}

void checkpoint_finished(bool is_made)
{
	trace_add("checkpoint: %d\n", is_made);
}

void checkpoint_locked(bool is_locked)
{
	trace_add("locked: %d\n", is_locked);
}

void green_contexts_created(CUgreenCtx handle, CUdevice device, uint32_t tid)
{
	CHECK_EQUAL(tid, TID);
	trace_add("green %x of device %d\n", number(handle), device);
}

CUcontext green_contexts_handle(CUgreenCtx handle)
{
	return number(handle) == OTHER ? HANDLE(CUcontext, GREEN) : NULL;
}

void green_contexts_forget(CUgreenCtx handle)
{
	trace_add("forget green %x\n", number(handle));
}

void functions_unloaded(void)
{
	trace_add("functions\n");
}

void images_context_ending(uint32_t context)
{
	trace_add("images of %u\n", context);
}

uint32_t context_ending(CUcontext handle, uint32_t tid)
{
	CHECK_EQUAL(tid, TID);
	CHECK_EQUAL(thread.coming, GRACE_ELSEWHERE);
	trace_add("%x is ending\n", number(handle));
	return number(handle) + 1;
}

void context_not_ended(CUcontext handle)
{
	trace_add("%x is not ending\n", number(handle));
}

uint32_t context_end(CUcontext handle, uint32_t tid)
{
	CHECK_EQUAL(tid, TID);
	trace_add("%x ended\n", number(handle));
	return number(handle) + 2;
}

void check_forget_context(CUcontext handle)
{
	trace_add("checks of %x\n", number(handle));
}

void memory_context_ended(const struct call *call, uint32_t context)
{
	CHECK(call->thread == &thread);
	trace_add("memory of %u\n", context);
}

struct context *contexts_known(CUcontext handle)
{
	return is_green_known && number(handle) == GREEN ? &green : NULL;
}

struct context *contexts_current(void)
{
	trace_add("current\n");
	return &current;
}

struct context *prepare_current_context(void)
{
	trace_add("prepare\n");
	return &current;
}

void pycuda_context_call(const struct call *call, struct context *now)
{
	CHECK(call->thread == &thread && now == &current);
	trace_add("pycuda\n");
}

static void run(enum driver_call id, const void *args, CUresult result)
{
	struct call call = {.id = id, .args = args, .thread = &thread};
	thread.coming = GRACE_COMING;
	context_before(&call);
	trace_add("--\n");
	context_after(&call, result);
}

#define RUN(result, name, ...) run(CALL_##name, &(const struct args_##name){__VA_ARGS__}, result)

#define BEFORE(context, id) "functions\n" context " is ending\nimages of " id "\n--\nfunctions\n"
#define ENDED(context, id)  "checks of " context "\n" context " ended\nmemory of " id "\n"

static void test_explicit(void)
{
	RUN(CUDA_SUCCESS, cuCtxDestroy_v2, .ctx = HANDLE(CUcontext, CONTEXT));
	CHECK_TRACE(BEFORE("10", "17") ENDED("10", "18") "10 is not ending\ncurrent\npycuda\n");
	RUN(CUDA_SUCCESS, cuCtxDestroy, .ctx = HANDLE(CUcontext, CONTEXT));
	CHECK_TRACE(BEFORE("10", "17") ENDED("10", "18") "10 is not ending\ncurrent\npycuda\n");
	RUN(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy_v2, .ctx = HANDLE(CUcontext, CONTEXT));
	CHECK_TRACE(BEFORE("10", "17") "10 is not ending\n");
	is_attached = true;
	RUN(CUDA_SUCCESS, cuCtxDetach, .ctx = HANDLE(CUcontext, CONTEXT));
	CHECK_TRACE(BEFORE("10", "17") "version of 10\n10 is not ending\ncurrent\npycuda\n");
	is_attached = false;
	RUN(CUDA_SUCCESS, cuCtxDetach, .ctx = HANDLE(CUcontext, CONTEXT));
	CHECK_TRACE(BEFORE("10", "17") "version of 10\n" ENDED(
		"10", "18") "10 is not ending\ncurrent\npycuda\n");
	RUN(CUDA_SUCCESS, cuCtxSetCurrent, .ctx = HANDLE(CUcontext, CONTEXT));
	CHECK_TRACE("--\n0 is not ending\nprepare\npycuda\n");
	RUN(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetCurrent, .ctx = HANDLE(CUcontext, CONTEXT));
	CHECK_TRACE("--\n0 is not ending\n");
}

static void retain(CUdevice device, unsigned handle, CUresult result)
{
	CUcontext retained = HANDLE(CUcontext, handle);
	RUN(result, cuDevicePrimaryCtxRetain, .dev = device, .pctx = &retained);
	CHECK_TRACE(result ? "--\n0 is not ending\n" : "--\n0 is not ending\nprepare\npycuda\n");
}

/* A context that is released lives on while it is in use; after a reset none does. */
static void test_primary(void)
{
	retain(DEVICE, PRIMARY, CUDA_SUCCESS);
	retain(DEVICE, OTHER, CUDA_ERROR_INVALID_DEVICE);
	is_active = true;
	RUN(CUDA_SUCCESS, cuDevicePrimaryCtxRelease_v2, .dev = DEVICE);
	CHECK_TRACE(BEFORE("20", "33") "state of device 3\n20 is not ending\ncurrent\npycuda\n");
	is_active = false;
	RUN(CUDA_SUCCESS, cuDevicePrimaryCtxRelease, .dev = DEVICE);
	CHECK_TRACE(BEFORE("20", "33") "state of device 3\n" ENDED(
		"20", "34") "20 is not ending\ncurrent\npycuda\n");
	RUN(CUDA_SUCCESS, cuDevicePrimaryCtxReset_v2, .dev = DEVICE);
	CHECK_TRACE(BEFORE("20", "33") ENDED("20", "34") "20 is not ending\ncurrent\npycuda\n");
	RUN(CUDA_SUCCESS, cuDevicePrimaryCtxReset, .dev = DEVICE + 1);
	CHECK_TRACE("--\n0 is not ending\nprepare\npycuda\n");
}

/* The first and the last device that are followed, and those beside them. */
static void test_devices(void)
{
	static const struct {
		CUdevice device;
		bool is_followed;
	} cases[] = {{-1, false}, {0, true}, {127, true}, {128, false}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		retain(cases[i].device, OTHER, CUDA_SUCCESS);
		RUN(CUDA_ERROR_UNKNOWN, cuDevicePrimaryCtxReset, .dev = cases[i].device);
		CHECK_STRING(trace_take(), cases[i].is_followed
						   ? BEFORE("40", "65") "40 is not ending\n"
						   : "--\n0 is not ending\n");
	}
}

/* Its primary context goes with a green one that was the last user. */
static void test_green(void)
{
	CUgreenCtx handle = HANDLE(CUgreenCtx, OTHER);
	RUN(CUDA_SUCCESS, cuGreenCtxCreate, .phCtx = &handle, .dev = DEVICE);
	CHECK_TRACE("--\ngreen 40 of device 3\n0 is not ending\nprepare\npycuda\n");
	is_active = is_green_known = true;
	RUN(CUDA_SUCCESS, cuGreenCtxDestroy, .hCtx = handle);
	CHECK_TRACE(BEFORE("30", "49") "forget green 40\n" ENDED(
		"30", "50") "state of device 3\n30 is not ending\ncurrent\npycuda\n");
	is_active = false;
	RUN(CUDA_SUCCESS, cuGreenCtxDestroy, .hCtx = handle);
	CHECK_TRACE(BEFORE("30", "49") "forget green 40\n" ENDED(
		"30",
		"50") "state of device 3\n" ENDED("20",
						  "34") "30 is not ending\ncurrent\npycuda\n");
	is_green_known = false;
	RUN(CUDA_SUCCESS, cuGreenCtxDestroy, .hCtx = handle);
	CHECK_TRACE(BEFORE("30", "49") "forget green 40\n" ENDED(
		"30", "50") "30 is not ending\ncurrent\npycuda\n");
	RUN(CUDA_SUCCESS, cuGreenCtxDestroy, .hCtx = HANDLE(CUgreenCtx, CONTEXT)); /* not known */
	CHECK_TRACE("--\n0 is not ending\nprepare\npycuda\n");
	RUN(CUDA_ERROR_INVALID_HANDLE, cuGreenCtxDestroy, .hCtx = handle);
	CHECK_TRACE(BEFORE("30", "49") "30 is not ending\n");
}

/* Checkpoints of this process are followed, and of no other one. */
static void test_checkpoints(void)
{
	int own = getpid();
	RUN(CUDA_SUCCESS, cuCheckpointProcessLock, .pid = own);
	RUN(CUDA_SUCCESS, cuCheckpointProcessCheckpoint, .pid = own);
	RUN(CUDA_ERROR_UNKNOWN, cuCheckpointProcessCheckpoint, .pid = own);
	RUN(CUDA_SUCCESS, cuCheckpointProcessRestore, .pid = own);
	RUN(CUDA_SUCCESS, cuCheckpointProcessUnlock, .pid = own);
	CHECK_TRACE("--\nlocked: 1\ncheckpoint\n--\ncheckpoint: 1\ncheckpoint\n--\ncheckpoint: 0\n"
		    "--\n--\nlocked: 0\n");
	RUN(CUDA_ERROR_UNKNOWN, cuCheckpointProcessLock, .pid = own);
	RUN(CUDA_SUCCESS, cuCheckpointProcessLock, .pid = own + 1);
	RUN(CUDA_SUCCESS, cuCheckpointProcessCheckpoint, .pid = own + 1);
	RUN(CUDA_ERROR_UNKNOWN, cuCheckpointProcessUnlock, .pid = own);
	CHECK_TRACE("--\n--\n--\n--\n");
}

int main(void)
{
	real.cuDevicePrimaryCtxGetState = get_state;
	real.cuCtxGetApiVersion = get_version;
	test_explicit();
	test_primary();
	test_devices();
	test_green();
	test_checkpoints();
	return 0;
}
