/*
 * test_describe.c - what is read of the arguments of every call that submits work: all rows of all
 * calls are compared. The driver and the contexts are simulated here.
 */
#include "call/describe.h"

#include "record/driver/driver.h"
#include "record/streams/contexts.h"
#include "record/streams/events.h"
#include "support/check.h"

struct driver real;

static struct thread thread;
static bool are_several;
static struct {
	CUresult current, attribute;
	CUcontext owner;
} answers;

static CUresult get_current(CUcontext *out)
{
	*out = (CUcontext)&thread;
	return answers.current;
}

static CUresult get_attribute(void *out, CUpointer_attribute attribute, CUdeviceptr address)
{
	CHECK_EQUAL(attribute, CU_POINTER_ATTRIBUTE_CONTEXT);
	CHECK_EQUAL(address, 0x0404040403030303);
	*(CUcontext *)out = answers.owner;
	return answers.attribute;
}

bool contexts_are_several(void)
{
	return are_several;
}

void events_forgotten(CUevent event)
{
	trace_add("forgets %" PRIxPTR ", ", (uintptr_t)event);
}

/* The arguments are recognized by their bytes: each word has a number. */
static void fill(unsigned char *args, size_t size)
{
	for (size_t i = 0; i < size; i++)
		args[i] = (unsigned char)(i / 4 + 1);
}

static void trace_record(enum driver_call id)
{
	static unsigned char args[256];
	struct call call = {.id = id, .args = args, .thread = &thread};
	struct journal_record record = {0};
	fill(args, sizeof(args));
	describe_submission(&call, &record);
	uint8_t role = driver_calls[id].role;
	CHECK_EQUAL(record.work, role == ROLE_GRAPH_LAUNCH ? WORK_GRAPH
				 : role == ROLE_COPY       ? WORK_COPY
				 : role == ROLE_MEMSET     ? WORK_MEMSET
				 : role == ROLE_HOST_FUNC  ? WORK_HOST_FUNC
							   : WORK_MEMOP);
	if (record.flags || record.memory.destination)
		trace_add("%s: %x %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", driver_calls[id].name,
			  record.flags, record.memory.destination, record.memory.source,
			  record.memory.bytes);
}

/* Flags, destination or graph, source and bytes. A call that is not listed has none. */
static void test_submissions(void)
{
	for (int id = 0; id < N_DRIVER_CALLS; id++) {
		uint8_t role = driver_calls[id].role;
		bool is_other = role_queues_work(role) && role != ROLE_LAUNCH;
		if ((is_other || role == ROLE_HOST_FUNC) && driver_calls[id].family == id)
			trace_record((enum driver_call)id);
	}
	CHECK_TRACE(
		"cuGraphLaunch: 0 202020201010101 0 0\n"
		"cuMemcpy: 0 202020201010101 404040403030303 606060605050505\n"
		"cuMemcpyAsync: 0 202020201010101 404040403030303 606060605050505\n"
		"cuMemcpyAtoH_v2: 4 0 0 0\n"
		"cuMemcpyDtoDAsync_v2: 0 202020201010101 404040403030303 606060605050505\n"
		"cuMemcpyDtoD_v2: 0 202020201010101 404040403030303 606060605050505\n"
		"cuMemcpyDtoHAsync_v2: 0 202020201010101 404040403030303 606060605050505\n"
		"cuMemcpyDtoH_v2: 4 202020201010101 404040403030303 606060605050505\n"
		"cuMemcpyHtoDAsync_v2: 0 202020201010101 404040403030303 606060605050505\n"
		"cuMemcpyHtoD_v2: 0 202020201010101 404040403030303 606060605050505\n"
		"cuMemcpyPeer: 0 202020201010101 606060605050505 a0a0a0a09090909\n"
		"cuMemcpyPeerAsync: 0 202020201010101 606060605050505 a0a0a0a09090909\n"
		"cuMemcpyWithAttributesAsync: 0 202020201010101 404040403030303 606060605050505\n"
		"cuMemsetD16Async: 0 202020201010101 303 c0c0c0c0a0a0a0a\n"
		"cuMemsetD16_v2: 0 202020201010101 303 c0c0c0c0a0a0a0a\n"
		"cuMemsetD32Async: 0 202020201010101 3030303 1818181814141414\n"
		"cuMemsetD32_v2: 0 202020201010101 3030303 1818181814141414\n"
		"cuMemsetD8Async: 0 202020201010101 3 606060605050505\n"
		"cuMemsetD8_v2: 0 202020201010101 3 606060605050505\n"
		"cuStreamWaitValue32: 0 404040403030303 5050505 4\n"
		"cuStreamWaitValue32_v2: 0 404040403030303 5050505 4\n"
		"cuStreamWaitValue64: 0 404040403030303 606060605050505 8\n"
		"cuStreamWaitValue64_v2: 0 404040403030303 606060605050505 8\n"
		"cuStreamWriteValue32: 0 404040403030303 5050505 4\n"
		"cuStreamWriteValue32_v2: 0 404040403030303 5050505 4\n"
		"cuStreamWriteValue64: 0 404040403030303 606060605050505 8\n"
		"cuStreamWriteValue64_v2: 0 404040403030303 606060605050505 8\n");
}

/* A copy to the host waits for its context's work, if that is the current one's. */
static void test_synchronous(void)
{
	const struct {
		bool are_several;
		CUresult current, attribute;
		void *owner;
		uint16_t of_memory, of_array;
	} cases[] = {
		{false, CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_VALUE, NULL,
		 RECORD_SYNCHRONOUS, RECORD_SYNCHRONOUS},
		{true, CUDA_SUCCESS, CUDA_SUCCESS, &thread, RECORD_SYNCHRONOUS, 0},
		{true, CUDA_SUCCESS, CUDA_SUCCESS, &real, 0, 0},
		{true, CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE, &thread, 0, 0},
		{true, CUDA_ERROR_INVALID_VALUE, CUDA_SUCCESS, &thread, 0, 0},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		unsigned char args[64];
		struct call call = {.args = args, .thread = &thread};
		struct journal_record memory = {0};
		struct journal_record array = {0};
		fill(args, sizeof(args));
		are_several = cases[i].are_several;
		answers.current = cases[i].current;
		answers.attribute = cases[i].attribute;
		answers.owner = (CUcontext)cases[i].owner;
		call.id = CALL_cuMemcpyDtoH_v2;
		describe_submission(&call, &memory);
		call.id = CALL_cuMemcpyAtoH_v2;
		describe_submission(&call, &array);
		CHECK_EQUAL(memory.flags, cases[i].of_memory);
		CHECK_EQUAL(array.flags, cases[i].of_array);
	}
	are_several = false;
}

static void trace_launch(enum driver_call id, const void *args)
{
	struct call call = {.id = id, .args = args, .thread = &thread};
	struct launch launch = describe_launch(&call);
	const struct args_cuLaunchKernel *to = launch.args;
	trace_add("%" PRIxPTR ": %x %x %x, %x %x %x, %x", (uintptr_t)to->f, to->gridDimX,
		  to->gridDimY, to->gridDimZ, to->blockDimX, to->blockDimY, to->blockDimZ,
		  to->sharedMemBytes);
	trace_add(" on %" PRIxPTR " with %" PRIxPTR " %" PRIxPTR "; %" PRIx64 ", %x\n",
		  (uintptr_t)to->hStream, (uintptr_t)to->kernelParams, (uintptr_t)to->extra,
		  launch.cluster, launch.flags);
	CHECK(describe_stream(&call) == to->hStream);
}

/* Kernel: grid, block, shared memory, stream, parameters, extra; cluster, flags. */
static void test_launches(void)
{
	for (int id = 0; id < N_DRIVER_CALLS; id++) {
		unsigned char args[256];
		if (driver_calls[id].role != ROLE_LAUNCH ||
		    driver_calls[id].family == CALL_cuLaunchKernelEx)
			continue;
		fill(args, sizeof(args));
		trace_add("%s ", driver_calls[id].name);
		trace_launch((enum driver_call)id, args);
	}
	CHECK_TRACE(
		"cuLaunch 202020201010101: 1 1 1, 0 0 0, 0 on 0 with 0 0; 0, 0\n"
		"cuLaunchCooperativeKernel 202020201010101: 3030303 4040404 5050505, 6060606 "
		"7070707 8080808, 9090909 on c0c0c0c0b0b0b0b with e0e0e0e0d0d0d0d 0; 0, 10\n"
		"cuLaunchCooperativeKernelMultiDevice 0: 0 0 0, 0 0 0, 0 on 0 with 0 0; 0, 50\n"
		"cuLaunchCooperativeKernel_ptsz 202020201010101: 3030303 4040404 5050505, 6060606 "
		"7070707 8080808, 9090909 on c0c0c0c0b0b0b0b with e0e0e0e0d0d0d0d 0; 0, 10\n"
		"cuLaunchGrid 202020201010101: 3030303 4040404 1, 0 0 0, 0 on 0 with 0 0; 0, 0\n"
		"cuLaunchGridAsync 202020201010101: 3030303 4040404 1, 0 0 0, 0 on 606060605050505 "
		"with 0 0; 0, 0\n"
		"cuLaunchKernel 202020201010101: 3030303 4040404 5050505, 6060606 7070707 8080808, "
		"9090909 on c0c0c0c0b0b0b0b with e0e0e0e0d0d0d0d 101010100f0f0f0f; 0, 0\n"
		"cuLaunchKernel_ptsz 202020201010101: 3030303 4040404 5050505, 6060606 7070707 "
		"8080808, 9090909 on c0c0c0c0b0b0b0b with e0e0e0e0d0d0d0d 101010100f0f0f0f; 0, "
		"0\n");
}

/* Whether launches wait for their kernels holds for each. */
static void test_blocking(void)
{
	const struct args_cuLaunchKernel kernel = {.gridDimX = 1};
	const struct args_cuLaunch old = {0};
	describe_start(true);
	trace_launch(CALL_cuLaunchKernel, &kernel);
	trace_launch(CALL_cuLaunch, &old);
	describe_start(false);
	trace_launch(CALL_cuLaunch, &old);
	CHECK_TRACE("0: 1 0 0, 0 0 0, 0 on 0 with 0 0; 0, 4\n"
		    "0: 1 1 1, 0 0 0, 0 on 0 with 0 0; 0, 4\n"
		    "0: 1 1 1, 0 0 0, 0 on 0 with 0 0; 0, 0\n");
}

static void trace_extended(const CUlaunchConfig *config)
{
	const struct args_cuLaunchKernelEx args = {.config = config,
						   .f = (CUfunction)0x10,
						   .kernelParams = (void **)0x20,
						   .extra = (void **)0x30};
	trace_launch(CALL_cuLaunchKernelEx, &args);
}

/* Attributes set what follows from them, alone and together; no more of them are read than there
 * are. */
static void test_attributes(void)
{
	CUlaunchAttribute attributes[] = {
		{.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1},
		{.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value.clusterDim = {2, 3, 4}},
		{.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
		 .value.programmaticStreamSerializationAllowed = 1},
		{.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT,
		 .value.programmaticEvent.event = (CUevent)0x50},
		{.id = (CUlaunchAttributeID)12, /* CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT */
		 .value.programmaticEvent.event = (CUevent)0x60},
		{.id = CU_LAUNCH_ATTRIBUTE_PRIORITY, .value.priority = 1},
		{.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE},
		{.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION},
		{.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT},
	};
	enum { N = sizeof(attributes) / sizeof(*attributes) };
	CUlaunchConfig config = {.gridDimX = 1,
				 .gridDimY = 2,
				 .gridDimZ = 3,
				 .blockDimX = 4,
				 .blockDimY = 5,
				 .blockDimZ = 6,
				 .sharedMemBytes = 7,
				 .hStream = (CUstream)0x40,
				 .numAttrs = 1};
	trace_extended(NULL);
	trace_extended(&config); /* attrs is NULL */
	for (unsigned i = 0; i < N; i++) {
		config.attrs = &attributes[i];
		trace_extended(&config);
	}
	config.attrs = attributes;
	config.numAttrs = N;
	trace_extended(&config);
	config.numAttrs = 0;
	trace_extended(&config);
	const struct args_cuLaunchKernelEx_ptsz variant = {.config = &config};
	trace_launch(CALL_cuLaunchKernelEx_ptsz, &variant);
	CHECK_TRACE("10: 0 0 0, 0 0 0, 0 on 0 with 20 30; 0, 0\n"
		    "10: 1 2 3, 4 5 6, 7 on 40 with 20 30; 0, 0\n"
		    "10: 1 2 3, 4 5 6, 7 on 40 with 20 30; 0, 10\n"
		    "10: 1 2 3, 4 5 6, 7 on 40 with 20 30; 400030002, 0\n"
		    "10: 1 2 3, 4 5 6, 7 on 40 with 20 30; 0, 8\n"
		    "forgets 50, 10: 1 2 3, 4 5 6, 7 on 40 with 20 30; 0, 0\n"
		    "forgets 60, 10: 1 2 3, 4 5 6, 7 on 40 with 20 30; 0, 0\n"
		    "10: 1 2 3, 4 5 6, 7 on 40 with 20 30; 0, 0\n"
		    "10: 1 2 3, 4 5 6, 7 on 40 with 20 30; 0, 0\n"
		    "10: 1 2 3, 4 5 6, 7 on 40 with 20 30; 0, 0\n"
		    "10: 1 2 3, 4 5 6, 7 on 40 with 20 30; 0, 0\n"
		    "forgets 50, forgets 60, 10: 1 2 3, 4 5 6, 7 on 40 with 20 30; 400030002, 18\n"
		    "10: 1 2 3, 4 5 6, 7 on 40 with 20 30; 0, 0\n"
		    "0: 1 2 3, 4 5 6, 7 on 40 with 0 0; 0, 0\n");
}

int main(void)
{
	real.cuCtxGetCurrent = get_current;
	real.cuPointerGetAttribute = get_attribute;
	test_submissions();
	test_synchronous();
	test_launches();
	test_blocking();
	test_attributes();
	return 0;
}
