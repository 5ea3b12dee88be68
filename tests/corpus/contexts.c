/*
 * contexts.c - bad launches in one of several contexts: of the same device, of another one, or
 * green ones, which share a primary context.
 */
#include "scenarios.h"

enum { SPIN_US = 20 };

static void spin_often(struct corpus *corpus, int n_launches, CUstream stream)
{
	for (int i = 0; i < n_launches; i++)
		launch_spin(corpus, SPIN_US, stream);
}

CUresult two_contexts(struct corpus *corpus)
{
	CUdeviceptr first_data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	CUdeviceptr second_data = 0;
	launch_fill(corpus, first_data, NULL);
	CUcontext second = NULL;
	NEED(CU(cuCtxCreate_v2)(&second, 0, corpus->device));
	NEED(CU(cuMemAlloc_v2)(&second_data, CORPUS_BUFFER_BYTES));
	struct launch bad;
	launch_init(&bad, corpus, "stray_store", NULL, VALUES(second_data, FAR_INDEX));
	launch_fill(corpus, second_data, NULL);
	LAUNCH_BAD(corpus, &bad);
	CUresult code = synchronize();
	say("cuCtxSetCurrent", CU(cuCtxSetCurrent)(corpus->context));
	synchronize();
	say_cleanup("cuCtxDestroy", CU(cuCtxDestroy_v2)(second));
	return code;
}

/*
 * Create a context of the second device, or another one of the first if there is only one device.
 */
static CUcontext context_elsewhere(struct corpus *corpus)
{
	CUdevice device = corpus->device;
	int count = 0;
	NEED(CU(cuDeviceGetCount)(&count));
	if (count > 1)
		NEED(CU(cuDeviceGet)(&device, 1));
	CUcontext context = NULL;
	NEED(CU(cuCtxCreate_v2)(&context, 0, device));
	return context;
}

/*
 * Both devices work and copy to each other. The second device's bad launch waits for an event of
 * the first device, which has more work queued after the event.
 */
CUresult two_devices(struct corpus *corpus)
{
	CUdeviceptr here = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	CUdeviceptr there = 0;
	CUstream first = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	CUstream second = NULL;
	CUevent event = corpus_event(corpus);
	CUcontext other = context_elsewhere(corpus);
	there = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	second = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	struct launch bad;
	launch_init(&bad, corpus, "stray_store", second, VALUES(there, FAR_INDEX));
	spin_often(corpus, 10, second);
	NEED(CU(cuCtxSetCurrent)(corpus->context));
	spin_often(corpus, 20, first);
	say("cuMemcpyPeerAsync",
	    CU(cuMemcpyPeerAsync)(there, other, here, corpus->context, CORPUS_BUFFER_BYTES, first));
	say("cuEventRecord", CU(cuEventRecord)(event, first));
	spin_often(corpus, 20, first);
	NEED(CU(cuCtxSetCurrent)(other));
	say("cuStreamWaitEvent", CU(cuStreamWaitEvent)(second, event, 0));
	spin_often(corpus, 5, second);
	LAUNCH_BAD(corpus, &bad);
	spin_often(corpus, 5, second);
	CUresult code = synchronize();
	say("cuCtxSetCurrent", CU(cuCtxSetCurrent)(corpus->context));
	synchronize();
	return code;
}

struct green {
	CUgreenCtx handle;
	CUcontext context;
	CUstream stream;
};

static struct green make_green(struct corpus *corpus)
{
	unsigned n_shares = 1;
	CUdevResource all;
	NEED(CU(cuDeviceGetDevResource)(corpus->device, &all, CU_DEV_RESOURCE_TYPE_SM));
	CUdevResource share;
	NEED(CU(cuDevSmResourceSplitByCount)(&share, &n_shares, &all, NULL, 0, 16));
	CUdevResourceDesc description = NULL;
	NEED(CU(cuDevResourceGenerateDesc)(&description, &share, 1));
	struct green green;
	NEED(CU(cuGreenCtxCreate)(&green.handle, description, corpus->device,
				  CU_GREEN_CTX_DEFAULT_STREAM));
	NEED(CU(cuCtxFromGreenCtx)(&green.context, green.handle));
	NEED(CU(cuGreenCtxStreamCreate)(&green.stream, green.handle, CU_STREAM_NON_BLOCKING, 0));
	return green;
}

static void destroy_green(const struct green *green)
{
	say_cleanup("cuStreamDestroy", CU(cuStreamDestroy_v2)(green->stream));
	say_cleanup("cuGreenCtxDestroy", CU(cuGreenCtxDestroy)(green->handle));
}

/* Streams of two green contexts, used as most programs do: the primary context stays current. */
static CUresult fail_on_green_stream(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	struct green first = make_green(corpus);
	struct green second = make_green(corpus);
	CUevent event = corpus_event(corpus);
	struct launch bad;
	launch_init(&bad, corpus, "stray_store", second.stream, VALUES(data, FAR_INDEX));
	spin_often(corpus, 20, first.stream);
	say("cuGreenCtxRecordEvent", CU(cuGreenCtxRecordEvent)(first.handle, event));
	spin_often(corpus, 20, second.stream);
	say("cuGreenCtxWaitEvent", CU(cuGreenCtxWaitEvent)(second.handle, event));
	LAUNCH_BAD(corpus, &bad);
	spin_often(corpus, 20, first.stream);
	spin_often(corpus, 20, second.stream);
	CUresult code = synchronize();
	destroy_green(&first);
	destroy_green(&second);
	return code;
}

CUresult green_contexts(struct corpus *corpus)
{
	CUcontext primary = NULL;
	NEED(CU(cuDevicePrimaryCtxRetain)(&primary, corpus->device));
	NEED(CU(cuCtxSetCurrent)(primary));
	CUresult code = fail_on_green_stream(corpus);
	say_cleanup("cuDevicePrimaryCtxRelease", CU(cuDevicePrimaryCtxRelease_v2)(corpus->device));
	return code;
}
