/*
 * orders.c - a kernel that fails, with a pointer to stream-ordered memory that is freed in some
 * order.
 */
#include <stdio.h>
#include <string.h>

#include "host.h"
#include "scenarios.h"

enum { SIZE = 5000 };

static CUstream user, freer, between;
static CUdeviceptr memory;

/* Launch a kernel that gets the memory, but stores far away from it. */
static int fail(CUstream stream)
{
	unsigned tag = 1;
	unsigned long long index = 1ull << 43;
	void *parameters[] = {&tag, &memory, &index};

	NEED(cuLaunchKernel(host_kernel("stray_store"), 1, 1, 1, 1, 1, 1, 0, stream, parameters,
			    NULL));
	return 0;
}

/* Let work of the waiter wait for the source's work so far. */
static void wait_for(CUstream waiter, CUstream source)
{
	CUevent event;

	NEED(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	NEED(cuEventRecord(event, source));
	NEED(cuStreamWaitEvent(waiter, event, 0));
}

static int free_on_same(void)
{
	fail(user);
	NEED(cuMemFreeAsync(memory, user));
	return 0;
}

static int free_after_event(void)
{
	fail(user);
	wait_for(freer, user);
	NEED(cuMemFreeAsync(memory, freer));
	return 0;
}

static int free_after_chain(void)
{
	fail(user);
	wait_for(between, user);
	NEED(host_fill(between));
	wait_for(freer, between);
	NEED(cuMemFreeAsync(memory, freer));
	return 0;
}

/* The pool gives the address out again. */
static int free_and_reuse(void)
{
	CUdeviceptr again;

	fail(user);
	NEED(cuMemFreeAsync(memory, user));
	NEED(cuMemAllocAsync(&again, SIZE, user));
	printf("reused %d\n", again == memory);
	return 0;
}

static int free_too_early(void)
{
	NEED(cuMemFreeAsync(memory, user));
	return fail(user);
}

static int free_without_event(void)
{
	wait_for(freer, user); /* before the launch: proves nothing about it */
	fail(user);
	NEED(cuMemFreeAsync(memory, freer));
	return 0;
}

static int free_in_graph(void)
{
	CUgraphExec exec;
	CUgraph graph;

	NEED(cuStreamBeginCapture(user, CU_STREAM_CAPTURE_MODE_RELAXED));
	NEED(cuMemAllocAsync(&memory, SIZE, user));
	fail(user);
	NEED(cuMemFreeAsync(memory, user));
	NEED(cuStreamEndCapture(user, &graph));
	NEED(cuGraphInstantiate(&exec, graph, 0));
	NEED(cuGraphLaunch(exec, user));
	return 0;
}

int free_in_order(const char *what)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} orders[] = {
		{"same", free_on_same},      {"event", free_after_event},
		{"chain", free_after_chain}, {"reuse", free_and_reuse},
		{"early", free_too_early},   {"other", free_without_event},
		{"graph", free_in_graph},
	};

	NEED(cuStreamCreate(&user, CU_STREAM_NON_BLOCKING));
	NEED(cuStreamCreate(&freer, CU_STREAM_NON_BLOCKING));
	NEED(cuStreamCreate(&between, CU_STREAM_NON_BLOCKING));
	NEED(cuMemAllocAsync(&memory, SIZE, user));
	NEED(cuStreamSynchronize(user));
	(void)host_kernel("stray_store");
	host_close_gate(user);
	for (size_t i = 0; what && i < sizeof(orders) / sizeof(orders[0]); i++)
		if (strcmp(what, orders[i].name) == 0)
			(void)orders[i].run();
	host_open_gate();
	return cuCtxSynchronize() == CUDA_SUCCESS ? 0 : 1;
}
