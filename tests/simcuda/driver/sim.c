/*
 * sim.c - the lock, its conditions and the state of each host thread.
 */
#include "sim.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "failure.h"

pthread_mutex_t sim_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t sim_progress;
pthread_cond_t sim_work;

/* Initial-exec: the fast way, and a library loaded late still finds room for these few bytes. */
_Thread_local struct sim_thread sim_thread __attribute__((tls_model("initial-exec")));

__attribute__((constructor)) static void set_up_conditions(void)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&sim_progress, &attributes);
	pthread_cond_init(&sim_work, &attributes);
	pthread_condattr_destroy(&attributes);
}

uint64_t sim_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void sim_wait_until(pthread_cond_t *condition, uint64_t deadline_ns)
{
	struct timespec deadline = {.tv_sec = (time_t)(deadline_ns / 1000000000u),
				    .tv_nsec = (long)(deadline_ns % 1000000000u)};

	pthread_cond_timedwait(condition, &sim_lock, &deadline);
}

CUresult sim_wait_progress(void)
{
	CUresult code;

	failure_tell_waiter();
	code = failure_visible();
	if (code != CUDA_SUCCESS)
		return code;
	if (failure_has_happened() || failure_is_hidden())
		sim_wait_until(&sim_progress, failure_visible_at_ns());
	else
		pthread_cond_wait(&sim_progress, &sim_lock);
	return CUDA_SUCCESS;
}

uint64_t sim_thread_id(void)
{
	static _Atomic uint64_t n_threads;

	if (sim_thread.id == 0)
		sim_thread.id = atomic_fetch_add_explicit(&n_threads, 1, memory_order_relaxed) + 1;
	return sim_thread.id;
}

void *sim_alloc(size_t size)
{
	void *memory = calloc(1, size ? size : 1);

	if (!memory)
		abort();
	return memory;
}
