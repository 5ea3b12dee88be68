/*
 * hangs.c - a host whose work on the GPU does not finish, in the way that ROBUST_HANG names. It
 * prints "ready" when all work is submitted, then waits for the work until it is killed.
 */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../host.h"
#include "../scenarios.h"

enum { N_BEFORE = 200, N_BEHIND = 5 };

static CUstream streams[2];

static void say_ready(void)
{
	puts("ready");
	fflush(stdout);
}

static void fill(CUstream stream, int n)
{
	for (int i = 0; i < n; i++)
		NEED(host_fill(stream));
}

static void let_wait(CUstream waiter, CUstream source)
{
	CUevent event;

	NEED(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	NEED(cuEventRecord(event, source));
	NEED(cuStreamWaitEvent(waiter, event, 0));
}

static void spin_for_ever(CUstream stream)
{
	NEED(host_spin(stream, UINT_MAX));
}

/* Another stream waits for an event that is recorded after the hanging kernel. */
static void hang_in_kernel(void)
{
	spin_for_ever(streams[0]);
	fill(streams[0], N_BEHIND);
	let_wait(streams[1], streams[0]);
	fill(streams[1], 1);
}

static void CUDA_CB block(void *unused)
{
	(void)unused;
	for (;;)
		(void)pause();
}

static void hang_in_function(void)
{
	NEED(cuLaunchHostFunc(streams[0], block, NULL));
	fill(streams[0], N_BEHIND);
}

/*
 * The streams wait for each other: one for a value that the other writes, the other for an event.
 */
static void hang_in_circle(void)
{
	host_close_gate(streams[0]);
	fill(streams[0], 1);
	let_wait(streams[1], streams[0]);
	fill(streams[1], 1);
}

/* The last launch waits for room in the queue (SIMCUDA_QUEUE_DEPTH). */
static void hang_in_launch(void)
{
	spin_for_ever(streams[0]);
	say_ready();
	fill(streams[0], INT_MAX);
}

/* It was quick before (SIMCUDA_TIMEOUT_MS). */
static void hang_till_timeout(void)
{
	for (int i = 0; i < 3; i++) {
		NEED(host_spin(streams[0], 1000));
		NEED(cuStreamSynchronize(streams[0]));
	}
	spin_for_ever(streams[0]);
	fill(streams[0], N_BEHIND);
	exit(say("cuStreamSynchronize", cuStreamSynchronize(streams[0])) != CUDA_SUCCESS);
}

/* The host submits nothing. */
static void hang_in_host(void)
{
	NEED(cuStreamSynchronize(streams[0]));
	say_ready();
	block(NULL);
}

static const struct {
	const char *name;
	void (*hang)(void);
} ways[] = {
	{"kernel", hang_in_kernel}, {"function", hang_in_function}, {"circle", hang_in_circle},
	{"launch", hang_in_launch}, {"host", hang_in_host},         {"timeout", hang_till_timeout},
};

int hangs(void)
{
	const char *wanted = getenv("ROBUST_HANG");

	host_open();
	for (int i = 0; i < 2; i++)
		NEED(cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
	/* culprit learns the driver's words from work that is waited for. */
	for (int i = 0; i < 8; i++) {
		fill(streams[i % 2], 4);
		NEED(cuStreamSynchronize(streams[i % 2]));
	}
	fill(streams[0], N_BEFORE);
	for (size_t i = 0; wanted && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(wanted, ways[i].name))
			ways[i].hang();
	say_ready();
	NEED(cuStreamSynchronize(streams[1]));
	NEED(cuStreamSynchronize(streams[0]));
	return 0;
}
