/*
 * everything.c - a small host that makes culprit do everything it can: each stage of a call, files
 * of every kind, rings that grow, threads, graphs, libraries that come and go, a failure.
 * fail-each runs it once for each system call that culprit makes.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "host.h"
#include "scenarios.h"

/* N_LAUNCHES is more than a piece of a ring holds; each launch has a row of arguments. */
enum { N_LAUNCHES = 1100, N_THREADS = 3 };

static void use_events(CUstream stream)
{
	CUstream other;
	CUevent event;

	NEED(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
	NEED(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	NEED(host_fill(stream));
	NEED(cuEventRecord(event, stream));
	NEED(cuStreamWaitEvent(other, event, 0));
	NEED(host_fill(other));
	NEED(cuStreamSynchronize(other));
	NEED(cuEventDestroy(event));
	NEED(cuStreamDestroy(other));
}

static void use_memory(CUstream stream)
{
	char bytes[64] = {1};
	CUdeviceptr memory;

	NEED(cuMemAlloc(&memory, 1 << 16));
	NEED(cuMemcpyHtoDAsync(memory, bytes, sizeof(bytes), stream));
	NEED(cuMemsetD8Async(memory, 2, sizeof(bytes), stream));
	NEED(cuStreamSynchronize(stream));
	NEED(cuMemcpyDtoH(bytes, memory, sizeof(bytes)));
	NEED_TRUE(bytes[0] == 2);
	NEED(cuMemFree(memory));
}

/*
 * Use a non-blocking stream: while a blocking one captures, other threads may not use the legacy
 * stream.
 */
static void use_graph(void)
{
	CUgraphExec executable;
	CUstream stream;
	CUgraph graph;

	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	NEED(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	NEED(host_fill(stream));
	NEED(host_fill(stream));
	NEED(cuStreamEndCapture(stream, &graph));
	NEED(cuGraphInstantiateWithFlags(&executable, graph, 0));
	NEED(cuGraphLaunch(executable, stream));
	NEED(cuStreamSynchronize(stream));
	NEED(cuGraphExecDestroy(executable));
	NEED(cuGraphDestroy(graph));
	NEED(cuStreamDestroy(stream));
}

static void use_module(void)
{
	char path[2 * PATH_MAX];
	CUfunction function;
	CUmodule module;

	host_kernel_path("spin", path, sizeof(path));
	NEED(cuModuleLoad(&module, path));
	NEED(cuModuleGetFunction(&function, module, "spin"));
	NEED(cuModuleUnload(module));
}

static void work(unsigned index)
{
	CUstream stream;

	NEED(cuStreamCreate(&stream, index % 2 ? CU_STREAM_NON_BLOCKING : 0));
	use_events(stream);
	use_memory(stream);
	use_graph();
	NEED(host_fill_aligned(CU_STREAM_PER_THREAD));
	NEED(cuStreamSynchronize(CU_STREAM_PER_THREAD));
	NEED(cuStreamDestroy(stream));
}

int everything(void)
{
	const char *text = NULL;

	host_open();
	work(0);
	use_module();
	host_launch_some(N_LAUNCHES);
	host_threads(N_THREADS, 0, work);
	NEED(cuCtxSynchronize());
	int status = host_fail();
	/* With CULPRIT_ANNOTATE the text ends with a name only if there was memory for it. */
	NEED(cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
	printf("%.*s\n", (int)strcspn(text, "("), text);
	return status;
}
