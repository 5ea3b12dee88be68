/*
 * interrupted.c - a host whose signal handler makes CUDA calls, on a stack of its own. No program
 * should do this, but some profilers and watchdogs do.
 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "../host.h"
#include "../scenarios.h"

static volatile sig_atomic_t n_signals;

static void launch_in_handler(int number)
{
	(void)number;
	n_signals++;
	(void)host_fill(NULL);
	(void)cuStreamQuery(NULL);
}

/* failing_calls.c raises the signals, in calls that culprit makes. */
static void handle_signals(void (*handler)(int number))
{
	const struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
	const stack_t stack = {.ss_sp = malloc(64 * 1024), .ss_size = 64 * 1024};

	NEED_TRUE(stack.ss_sp && sigaltstack(&stack, NULL) == 0);
	NEED_TRUE(sigaction(SIGUSR1, &action, NULL) == 0);
}

int interrupted(void)
{
	handle_signals(launch_in_handler);
	host_open();
	host_launch_some(3000);
	fprintf(stderr, "%d signals\n", (int)n_signals);
	return host_fail();
}

static CUstream bad_stream, idle_stream;
static CUevent event;
static volatile sig_atomic_t is_armed;

static void record_in_handler(int number)
{
	(void)number;
	if (!is_armed)
		return;
	n_signals++;
	(void)cuEventRecord(event, idle_stream);
}

/*
 * A call from here has a new stack, so culprit reads the loader's list, and the signal interrupts
 * that.
 */
static void allocate_interrupted(void)
{
	CUdeviceptr memory;

	is_armed = 1;
	NEED(cuMemAlloc(&memory, 256));
	is_armed = 0;
	if (!n_signals) /* without culprit */
		NEED(cuEventRecord(event, idle_stream));
}

/*
 * The event first marks the bad launch. By the time it is waited for, it marks an idle stream. The
 * end of the wait therefore proves nothing about the bad launch, and the spin after it is innocent.
 */
int event_in_handler(void)
{
	CUstream other;

	handle_signals(record_in_handler);
	host_open();
	NEED(cuStreamCreate(&bad_stream, CU_STREAM_NON_BLOCKING));
	NEED(cuStreamCreate(&idle_stream, CU_STREAM_NON_BLOCKING));
	NEED(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
	NEED(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	host_close_gate(bad_stream);
	NEED(host_stray(bad_stream));
	NEED(cuEventRecord(event, bad_stream));
	allocate_interrupted();
	NEED(cuEventSynchronize(event));
	NEED(host_spin(other, UINT_MAX)); /* until the failure */
	host_open_gate();
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}
