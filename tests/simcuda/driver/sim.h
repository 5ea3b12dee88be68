/*
 * sim.h - the one lock of the simulated driver, the conditions that go with it, and what the
 * driver knows about each host thread.
 *
 * Concurrency: sim_lock guards every object behind a handle, every queue and every table. The gate
 * (entry/gate.h) takes it before a call's implementation (sim_<name>) and releases it afterwards,
 * so all implementations run under it. Workers hold it except while a kernel, a copy, a memset, a
 * host function or a delay runs. It is also released around dlopen and dlclose, because the
 * loader's own lock is taken there and a constructor may call CUDA. Nothing is acquired inside
 * sim_lock. Three things are read without it: settings (constant), the failure (failure/failure.h,
 * atomic) and the state of the process (gate.c, atomic).
 */
#ifndef SIMCUDA_SIM_H
#define SIMCUDA_SIM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cuda_api.h"

extern pthread_mutex_t sim_lock;
extern pthread_cond_t sim_progress; /* an operation finished, or the process failed */
extern pthread_cond_t sim_work;     /* an operation may be ready to run */
extern pthread_cond_t sim_time;     /* never told: for who waits until a time */

/* Of the calling thread; touched by no other. */
struct sim_thread {
	uint64_t id;         /* 0: has none yet */
	CUcontext *contexts; /* the stack of current contexts, top last */
	size_t n_contexts, capacity;
	CUstream own; /* its default streams, by next_own; guarded by sim_lock */
	CUstreamCaptureMode capture_mode;
	bool is_default_per_thread; /* what a null stream means to the call being run */
	bool is_in_host_function;   /* where calls are not permitted */
	CUcontext context;          /* of a worker: whose work it runs */
};

extern _Thread_local struct sim_thread sim_thread;

/* Monotonic time. */
uint64_t sim_now_ns(void);

/*
 * Lock held. Something was done that somebody may wait for; and the waiting for it, from time to
 * time for nothing. A thread may be jumped out of this wait, or cancelled in it: it holds nothing
 * then, as far as that can be said of a driver.
 */
void sim_tell_progress(void);
void sim_await_progress(void);

/* Lock held. As pthread_cond_wait, but no longer than until deadline_ns (monotonic). */
void sim_wait_until(pthread_cond_t *condition, uint64_t deadline_ns);

/* The thread's number, given at the first question. Never 0. */
uint64_t sim_thread_id(void);

/* malloc that cannot fail: a simulation without memory has nothing left to say. Zeroed. */
void *sim_alloc(size_t size);

#endif
