/*
 * sim.h - the lock of the simulated driver, its condition variables, and the driver's state of each
 * host thread.
 *
 * Concurrency: sim_lock guards every object behind a handle, every queue and every table. The gate
 * (entry/gate.h) takes it before a call's implementation (sim_<name>) and releases it afterwards,
 * so all implementations run under it. Workers hold it except while a kernel, a copy, a memset, a
 * host function or a delay runs. It is also released around dlopen and dlclose, because these take
 * the loader's lock and a constructor may call CUDA. No other lock is acquired inside sim_lock.
 * Three things are read without it: settings (constant), the failure (failure/failure.h, atomic)
 * and the state of the process (gate.c, atomic).
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
extern pthread_cond_t sim_time;     /* never signalled: for waits until a time */

/* State of one thread, which only that thread touches. */
struct sim_thread {
	uint64_t id;         /* 0: not assigned yet */
	CUcontext *contexts; /* the stack of current contexts, top last */
	size_t n_contexts, capacity;
	CUstream own; /* its default streams, by next_own; guarded by sim_lock */
	CUstreamCaptureMode capture_mode;
	bool is_default_per_thread; /* in this call, a null stream is the per-thread stream */
	bool is_in_host_function;   /* calls are not permitted there */
	CUcontext context;          /* of a worker: the context whose work it runs */
	const struct simcuda_thread *simulated; /* of a worker: what it runs, for kernel code */
};

extern _Thread_local struct sim_thread sim_thread;

/* Return the time of CLOCK_MONOTONIC. */
uint64_t sim_now_ns(void);

/*
 * Lock held. Return the time of the GPU, which stands still while the process has no processor.
 * Otherwise, on a busy machine, a host would be slower than any beside a real GPU.
 */
uint64_t sim_gpu_ns(void);

/*
 * Lock held. Wake the threads that wait for progress; and wait for progress, with spurious
 * wake-ups. A thread may be cancelled in the wait, or leave it by longjmp(): it does not hold the
 * lock there.
 */
void sim_tell_progress(void);
void sim_await_progress(void);

/* Lock held. Like pthread_cond_wait(), but at most until deadline_ns (monotonic). */
void sim_wait_until(pthread_cond_t *condition, uint64_t deadline_ns);

/* Return where the calling worker keeps the thread that it runs. */
const struct simcuda_thread **sim_self_place(void);

/* Return the calling thread's id, assigned at the first call. Never 0. */
uint64_t sim_thread_id(void);

/* Allocate zeroed memory; abort if out of memory. */
void *sim_alloc(size_t size);

#endif
