/*
 * exits.c - hosts that exit in every way there is, some of them while other threads launch or while
 * culprit still handles the first error.
 */
#include <glob.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "../host.h"
#include "../scenarios.h"

enum { N_THREADS = 4 };

static void CUDA_CB exit_from_callback(void *unused)
{
	(void)unused;
	exit(7);
}

int exit_in_callback(void)
{
	host_open();
	host_launch_some(100);
	NEED(cuLaunchHostFunc(NULL, exit_from_callback, NULL));
	for (;;)
		pause();
}

int exit_at_once(void)
{
	host_open();
	host_launch_some(100);
	_exit(3);
}

/* With GPU core dumps, wait until CORE_PATTERN matches the dump, the only file that it matches. */
int exit_unknowing(void)
{
	const char *pattern = getenv("CORE_PATTERN");
	glob_t found;

	host_open();
	host_launch_some(100);
	NEED(host_stray(NULL));
	while (pattern && glob(pattern, 0, NULL, &found) != 0)
		sched_yield();
	return 0;
}

int exit_by_return(void)
{
	host_open();
	host_launch_some(100);
	NEED(cuCtxSynchronize());
	return 0;
}

static void crash(void)
{
	(void)raise(SIGSEGV);
}

int crash_at_exit(void)
{
	NEED_TRUE(atexit(crash) == 0);
	host_open();
	host_launch_some(100);
	NEED(cuCtxSynchronize());
	return 0;
}

int exit_quickly(void)
{
	host_open();
	host_launch_some(100);
	quick_exit(4);
}

int abort_at_once(void)
{
	host_open();
	host_launch_some(100);
	abort();
}

static void *fail_after_main(void *main_thread)
{
	host_use();
	NEED_TRUE(pthread_join(*(pthread_t *)main_thread, NULL) == 0);
	host_launch_some(100);
	exit(host_fail());
}

int main_thread_ends(void)
{
	static pthread_t main_thread;
	pthread_t other;

	host_open();
	host_launch_some(100);
	main_thread = pthread_self();
	NEED_TRUE(pthread_create(&other, NULL, fail_after_main, &main_thread) == 0);
	pthread_exit(NULL);
}

static void see_error(void)
{
	say("cuCtxSynchronize", cuCtxSynchronize());
}

static pthread_barrier_t all_launch;

/* Launch until the driver has shut down, then wait for the end of the process. */
static void *launch_for_ever(void *unused)
{
	CUstream stream;

	(void)unused;
	host_use();
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	NEED(host_fill(stream));
	pthread_barrier_wait(&all_launch);
	while (host_fill(stream) == CUDA_SUCCESS)
		;
	for (;;)
		pause();
	return NULL;
}

static void start_launching(void)
{
	NEED_TRUE(pthread_barrier_init(&all_launch, NULL, N_THREADS + 1) == 0);
	for (int i = 0; i < N_THREADS; i++) {
		pthread_t thread;
		NEED_TRUE(pthread_create(&thread, NULL, launch_for_ever, NULL) == 0);
	}
	pthread_barrier_wait(&all_launch);
}

int exit_while_launching(void)
{
	host_open();
	start_launching();
	exit(5);
}

static atomic_uint n_started;

/*
 * The driver refuses a launch without a context, but the test needs only the thread's first call.
 */
static void *launch_once(void *unused)
{
	(void)unused;
	(void)host_fill(NULL);
	atomic_fetch_add(&n_started, 1);
	for (;;)
		pause();
	return NULL;
}

static void *start_for_ever(void *unused)
{
	(void)unused;
	for (;;) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, launch_once, NULL) == 0)
			pthread_detach(thread);
	}
	return NULL;
}

/* Each new thread opens a file in the bundle, some while the bundle is being removed. */
int exit_while_threads_start(void)
{
	pthread_t thread;

	host_open();
	NEED_TRUE(pthread_create(&thread, NULL, start_for_ever, NULL) == 0);
	while (atomic_load(&n_started) < 50)
		sched_yield();
	exit(5);
}

int terminate_while_launching(void)
{
	host_open();
	start_launching();
	raise(SIGTERM);
	return 2;
}

static void exit_on_error(unsigned index)
{
	if (index == 0)
		NEED(host_stray(NULL));
	pthread_barrier_wait(&all_launch);
	while (cuCtxSynchronize() == CUDA_SUCCESS)
		;
	/* The first thread to get here has not waited for a verdict. */
	exit(1);
}

int exit_at_error(void)
{
	host_open();
	NEED_TRUE(pthread_barrier_init(&all_launch, NULL, N_THREADS) == 0);
	host_threads(N_THREADS, 0, exit_on_error);
	return 2;
}

int error_in_exit_handler(void)
{
	host_open();
	host_launch_some(100);
	NEED_TRUE(atexit(see_error) == 0);
	NEED(host_stray(NULL));
	exit(6);
}

/* This handler runs after all handlers that cuInit has registered. */
int error_in_early_handler(void)
{
	NEED_TRUE(atexit(see_error) == 0);
	host_open();
	host_launch_some(100);
	NEED(host_stray(NULL));
	exit(6);
}

static void exit_on_signal(int number)
{
	(void)number;
	exit(8);
}

/* The signal comes while the main thread is in some call, most likely inside the driver. */
int exit_in_signal_handler(void)
{
	const struct itimerval soon = {.it_value = {.tv_usec = 20000}};

	host_open();
	host_launch_some(10);
	NEED_TRUE(signal(SIGALRM, exit_on_signal) != SIG_ERR);
	NEED_TRUE(setitimer(ITIMER_REAL, &soon, NULL) == 0);
	for (;;)
		NEED(cuStreamQuery(NULL));
}
