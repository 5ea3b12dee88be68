/*
 * sim.c - the lock, its conditions and the state of each host thread.
 */
#include "sim.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

pthread_mutex_t sim_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t sim_progress;
pthread_cond_t sim_work;
pthread_cond_t sim_time;

/* Initial-exec is fast, and these few bytes fit even if the library is loaded late. */
_Thread_local struct sim_thread sim_thread __attribute__((tls_model("initial-exec")));

__attribute__((constructor)) static void set_up_conditions(void)
{
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&sim_progress, &attributes);
	pthread_cond_init(&sim_work, &attributes);
	pthread_cond_init(&sim_time, &attributes);
	pthread_condattr_destroy(&attributes);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t sim_now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* Several threads may use the processor at the same time; a forked child's use begins anew. */
uint64_t sim_gpu_ns(void)
{
	static uint64_t gpu_ns; /* as the following two, guarded by sim_lock */
	static uint64_t last_ns;
	static uint64_t last_used_ns;
	uint64_t now_ns = sim_now_ns();
	uint64_t used_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	uint64_t passed_ns = now_ns - last_ns;
	uint64_t newly_used_ns = used_ns > last_used_ns ? used_ns - last_used_ns : 0;
	gpu_ns += passed_ns < newly_used_ns ? passed_ns : newly_used_ns;
	last_ns = now_ns;
	last_used_ns = used_ns;
	return gpu_ns;
}

static _Atomic uint32_t n_progress; /* written under sim_lock; a futex */

void sim_tell_progress(void)
{
	pthread_cond_broadcast(&sim_progress);
	atomic_fetch_add_explicit(&n_progress, 1, memory_order_release);
	(void)syscall(SYS_futex, &n_progress, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

void sim_await_progress(void)
{
	uint32_t seen = atomic_load_explicit(&n_progress, memory_order_relaxed);
	int callers_errno = errno; /* the driver does not change errno */
	pthread_mutex_unlock(&sim_lock);
	(void)syscall(SYS_futex, &n_progress, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
	errno = callers_errno;
	pthread_testcancel();
	pthread_mutex_lock(&sim_lock);
}

void sim_wait_until(pthread_cond_t *condition, uint64_t deadline_ns)
{
	struct timespec deadline = {.tv_sec = (time_t)(deadline_ns / 1000000000u),
				    .tv_nsec = (long)(deadline_ns % 1000000000u)};
	pthread_cond_timedwait(condition, &sim_lock, &deadline);
}

const struct simcuda_thread **sim_self_place(void)
{
	return &sim_thread.simulated;
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
