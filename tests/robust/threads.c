/*
 * threads.c - hosts with many threads, short-lived threads, threads with hardly any stack, and
 * threads that launch while they exit.
 */
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"
#include "scenarios.h"

enum { N_GENERATIONS = 20000, N_WARM_UP = 4000, N_AT_ONCE = 8, ALLOWED_GROWTH = 1 << 20 };
enum { SMALL_STACK = 64 * 1024 };

static pthread_barrier_t crowd;
static unsigned n_crowd;

static void launch_once(unsigned index)
{
	(void)index;
	NEED(host_fill(NULL));
}

static void launch_in_generation(unsigned index)
{
	launch_once(index);
	pthread_barrier_wait(&crowd);
}

/*
 * Each generation has the same number of threads and of queued launches, so that the memory for
 * both does not depend on how busy the machine is.
 */
static void run_generations(unsigned n)
{
	for (unsigned i = 0; i < n; i += N_AT_ONCE) {
		host_threads(N_AT_ONCE, 0, launch_in_generation);
		NEED(cuCtxSynchronize());
	}
}

int thread_generations(void)
{
	host_open();
	NEED_TRUE(pthread_barrier_init(&crowd, NULL, N_AT_ONCE) == 0);
	run_generations(N_WARM_UP);
	size_t before = host_resident_bytes();
	run_generations(N_GENERATIONS - N_WARM_UP);
	size_t after = host_resident_bytes();
	fprintf(stderr, "growth %td kB\n", (ptrdiff_t)(after - before) / 1024);
	if (after > before + ALLOWED_GROWTH)
		printf("grown by %zu kB\n", (after - before) / 1024);
	return host_fail();
}

static void launch_in_crowd(unsigned index)
{
	pthread_barrier_wait(&crowd);
	for (int i = 0; i < 20; i++)
		launch_once(index);
	pthread_barrier_wait(&crowd);
}

int many_threads(void)
{
	n_crowd = 1000;
	host_open();
	NEED_TRUE(pthread_barrier_init(&crowd, NULL, n_crowd) == 0);
	host_threads(n_crowd, SMALL_STACK, launch_in_crowd);
	NEED(cuCtxSynchronize());
	return host_fail();
}

/* The last thread to arrive fails: no ring is left for its launch. */
static void fail_in_crowd(unsigned index)
{
	(void)index;
	static atomic_uint n_before;

	if (atomic_fetch_add(&n_before, 1) == n_crowd - 1)
		NEED(host_stray(NULL));
	else
		(void)host_fill(NULL);
	pthread_barrier_wait(&crowd);
}

int too_many_threads(void)
{
	n_crowd = 4200;
	host_open();
	NEED_TRUE(pthread_barrier_init(&crowd, NULL, n_crowd) == 0);
	host_threads(n_crowd, SMALL_STACK, fail_in_crowd);
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

/* C++ calls this function for a thread_local object with a destructor. */
int __cxa_thread_atexit_impl(void (*destructor)(void *), void *object, void *library);
extern char __dso_handle[];

static pthread_key_t early_key, late_key;
static atomic_uint n_from_destructors;

static void launch_in_destructor(void *unused)
{
	(void)unused;
	host_use();
	NEED(host_fill(NULL));
	NEED(host_fill(CU_STREAM_PER_THREAD));
	atomic_fetch_add(&n_from_destructors, 1);
}

/* In the last round of destructors no later callback can report the thread's end. */
static void launch_in_last_round(void *round)
{
	size_t n = (size_t)round;

	launch_in_destructor(NULL);
	if (n < PTHREAD_DESTRUCTOR_ITERATIONS)
		NEED_TRUE(pthread_setspecific(late_key, (void *)(n + 1)) == 0);
}

static void end_with_launches(unsigned index)
{
	(void)index;
	__cxa_thread_atexit_impl(launch_in_destructor, NULL, __dso_handle);
	NEED_TRUE(pthread_setspecific(early_key, "set") == 0);
	NEED_TRUE(pthread_setspecific(late_key, (void *)1) == 0);
	NEED(host_fill(CU_STREAM_PER_THREAD));
}

int launches_at_thread_end(void)
{
	NEED_TRUE(pthread_key_create(&early_key, launch_in_destructor) == 0);
	host_open();
	NEED_TRUE(pthread_key_create(&late_key, launch_in_last_round) == 0);
	for (int i = 0; i < 250; i++)
		host_threads(4, 0, end_with_launches);
	NEED(cuCtxSynchronize());
	printf("%u launches\n", atomic_load(&n_from_destructors));
	return host_fail();
}

static CUdeviceptr copied;
static atomic_bool is_copying;

/* Block in a copy that waits for the gate; the other thread opens the gate once it has launched. */
static void copy_or_open(unsigned index)
{
	char bytes[16];

	if (index == 0) {
		atomic_store(&is_copying, true);
		NEED(cuMemcpyDtoH(bytes, copied, sizeof(bytes)));
		return;
	}
	while (!atomic_load(&is_copying) || cuStreamQuery(NULL) != CUDA_ERROR_NOT_READY)
		;
	NEED(host_fill(NULL));
	host_open_gate();
}

int copy_that_waits_for_a_launch(void)
{
	host_open();
	NEED(cuMemAlloc(&copied, 4096));
	for (int round = 0; round < 3; round++) {
		atomic_store(&is_copying, false);
		host_close_gate(NULL);
		host_threads(2, 0, copy_or_open);
	}
	NEED(cuCtxSynchronize());
	return host_fail();
}

/* Small stacks: the first thread is the first that something is recorded of. */
static void *see_context(void *unused)
{
	CUcontext context;

	(void)unused;
	NEED(cuDevicePrimaryCtxRetain(&context, 0));
	NEED(cuCtxSetCurrent(context));
	NEED(cuCtxSynchronize());
	return NULL;
}

static void fail_on_small_stack(unsigned index)
{
	(void)index;
	for (int i = 0; i < 100; i++)
		NEED(host_fill(NULL));
	NEED(cuCtxSynchronize());
	host_fail();
}

static size_t small_stack(void)
{
	const char *bytes = getenv("ROBUST_STACK");

	return (size_t)(bytes ? atol(bytes) : PTHREAD_STACK_MIN);
}

int small_stacks(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	NEED(cuInit(0));
	NEED_TRUE(pthread_attr_init(&attributes) == 0);
	NEED_TRUE(pthread_attr_setstacksize(&attributes, small_stack()) == 0);
	NEED_TRUE(pthread_create(&thread, &attributes, see_context, NULL) == 0);
	NEED_TRUE(pthread_join(thread, NULL) == 0);
	host_open();
	host_threads(1, small_stack(), fail_on_small_stack);
	return 1;
}

enum { N_CANCELLED = 100 };

static void *launch_cancelled(void *unused)
{
	(void)unused;
	host_use();
	NEED_TRUE(pthread_cancel(pthread_self()) == 0);
	/*
	 * This is fewer than a queue holds, so the driver does not wait, and no call here is a
	 * cancellation point.
	 */
	for (int i = 0; i < 500; i++)
		NEED(host_fill(NULL));
	atomic_fetch_add(&n_from_destructors, 1);
	pthread_testcancel();
	return NULL;
}

int cancelled_threads(void)
{
	host_open();
	for (int i = 0; i < N_CANCELLED; i++) {
		void *result;
		pthread_t thread;
		NEED_TRUE(pthread_create(&thread, NULL, launch_cancelled, NULL) == 0);
		NEED_TRUE(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
		NEED(cuCtxSynchronize());
	}
	printf("%u threads launched to the end\n", atomic_load(&n_from_destructors));
	return host_fail();
}
