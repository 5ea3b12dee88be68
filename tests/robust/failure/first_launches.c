/*
 * first_launches.c - a host that uses a kernel for the first time, in the way that ROBUST_FIRST
 * names, and then waits for the context.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../host.h"
#include "../scenarios.h"

static CUresult launch_wide(unsigned n_threads)
{
	unsigned tag = 3, microseconds = 1;
	void *parameters[] = {&tag, &microseconds};

	return cuLaunchKernel(host_kernel("spin"), 1, 1, 1, n_threads, 1, 1, 0, NULL, parameters,
			      NULL);
}

static void launch(void)
{
	NEED(launch_wide(1));
}

/* The driver may not have the call, but the program made it. */
static void read_log(void)
{
	CUlogsCallbackHandle handle;

	(void)cuLogsRegisterCallback(NULL, NULL, &handle);
}

static void be_refused(void)
{
	enum { TOO_MANY = 1 << 16 };

	NEED_TRUE(launch_wide(TOO_MANY) == CUDA_ERROR_INVALID_VALUE);
}

static CUstream stream;

static CUgraph capture(void)
{
	CUgraph graph;

	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	NEED(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	NEED(host_spin(stream, 1));
	NEED(cuStreamEndCapture(stream, &graph));
	return graph;
}

static CUgraphExec instantiate(void)
{
	CUgraphExec executable;

	NEED(cuGraphInstantiateWithFlags(&executable, capture(), 0));
	return executable;
}

/* Without a capture, so that the instantiation is the first call with the kernel. */
static CUgraphExec add(void)
{
	unsigned tag = 3, microseconds = 1;
	void *parameters[] = {&tag, &microseconds};
	CUDA_KERNEL_NODE_PARAMS node = {.func = host_kernel("spin"),
					.gridDimX = 1,
					.gridDimY = 1,
					.gridDimZ = 1,
					.blockDimX = 1,
					.blockDimY = 1,
					.blockDimZ = 1,
					.kernelParams = parameters};
	CUgraph graph;
	CUgraphNode added;
	CUgraphExec executable;

	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	NEED(cuGraphCreate(&graph, 0));
	NEED(cuGraphAddKernelNode(&added, graph, NULL, 0, &node));
	NEED(cuGraphInstantiateWithFlags(&executable, graph, 0));
	return executable;
}

static void use_first(const char *way)
{
	if (!strcmp(way, "launched"))
		launch();
	else if (!strcmp(way, "logged"))
		read_log(), launch();
	else if (!strcmp(way, "logged-early"))
		launch();
	else if (!strcmp(way, "refused"))
		be_refused();
	else if (!strcmp(way, "refused-launched"))
		be_refused(), launch();
	else if (!strcmp(way, "captured"))
		(void)capture();
	else if (!strcmp(way, "captured-launched"))
		(void)capture(), launch();
	else if (!strcmp(way, "instantiated"))
		(void)instantiate();
	else if (!strcmp(way, "added"))
		(void)add();
	else if (!strcmp(way, "added-launched"))
		(void)add(), launch();
	else if (!strcmp(way, "graph"))
		NEED(cuGraphLaunch(add(), stream));
	else
		exit(2);
}

int first_launch(void)
{
	if (!strcmp(getenv("ROBUST_FIRST"), "logged-early"))
		read_log();
	host_open();
	use_first(getenv("ROBUST_FIRST"));
	say("cuCtxSynchronize", cuCtxSynchronize());
	return 0;
}

int refused(void)
{
	host_open();
	be_refused();
	return 1;
}
