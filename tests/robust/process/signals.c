/*
 * signals.c - hosts with a profiler's timers: ten thousand signals a second interrupt any call,
 * also calls that culprit makes.
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "../host.h"
#include "../scenarios.h"

enum { PERIOD_US = 100, N_THREADS = 3, N_LAUNCHES = 4000, N_SIGNALS = 200 };

static atomic_uint n_signals;

static void count_signal(int number)
{
	(void)number;
	atomic_fetch_add(&n_signals, 1);
}

static void set_timers(int flags, suseconds_t period_us)
{
	const struct itimerval every = {{0, period_us}, {0, period_us}};
	struct sigaction action = {.sa_handler = count_signal, .sa_flags = flags};

	NEED_TRUE(sigaction(SIGALRM, &action, NULL) == 0);
	NEED_TRUE(sigaction(SIGPROF, &action, NULL) == 0);
	NEED_TRUE(setitimer(ITIMER_REAL, &every, NULL) == 0);
	NEED_TRUE(setitimer(ITIMER_PROF, &every, NULL) == 0);
}

static void launch_often(unsigned index)
{
	CUstream stream;

	NEED(cuStreamCreate(&stream, index % 2 ? CU_STREAM_NON_BLOCKING : 0));
	for (int i = 0; i < N_LAUNCHES; i++) {
		NEED(host_fill(stream));
		if (i % 500 == 0)
			NEED(cuStreamSynchronize(stream));
	}
	NEED(cuStreamSynchronize(stream));
	NEED(cuStreamDestroy(stream));
}

/* Signals also arrive while culprit sees the failure and writes its report. */
static int launch_under_timers(int flags)
{
	set_timers(flags, PERIOD_US);
	host_open();
	host_threads(N_THREADS, 0, launch_often);
	while (atomic_load(&n_signals) < N_SIGNALS)
		host_launch_some(1);
	int status = host_fail();
	set_timers(flags, 0);
	return status;
}

int timers(void)
{
	return launch_under_timers(0);
}

int timers_restarting(void)
{
	return launch_under_timers(SA_RESTART);
}
