/*
 * thread.h - everything culprit keeps for one thread: its guard against re-entry, its ring and its
 * caches. Only the thread itself touches it.
 */
#ifndef CULPRIT_RECORD_THREAD_H
#define CULPRIT_RECORD_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/driver_calls.h"
#include "record/host/grace_period.h"
#include "record/host/tick_clock.h"
#include "record/journal/call_names.h"
#include "record/journal/ring.h"
#include "record/objects/functions.h"
#include "record/stacks/stack_cache.h"
#include "record/streams/streams.h"
#include "record/streams/sync_points.h"

/* How wide a launch is: grid's and block's x, y and z, then the bytes of shared memory. */
enum { LAUNCH_SHAPE = 7 };

/*
 * What every launch needs of it is in the first two lines of 64 bytes, so near that instructions
 * name it in one byte; of the caches it touches no more than the entries that it finds.
 */
struct thread {
	uint32_t tid;    /* 0: we are a fork's child, where the kernel wipes all of it */
	uint32_t coming; /* atomic: see grace_period.h */
	struct call_name call_name;
	struct tick_clock clock;
	struct stream_cache streams; /* its finds are those below */
	struct ring ring;
	struct stack_cache stacks; /* its ways are on the first page */
	struct stream_finds stream_finds;
	struct function_cache functions;
	struct args_cuLaunchKernel launch; /* one that has other arguments, as if by this call */
	struct sync_points sync_points;
	uint32_t row;          /* id in threads, 0: no room */
	struct wait_row *wait; /* in waits, NULL: no room */
	struct grace_reader grace;
	struct thread *next_free; /* in the list of those whose thread has ended */
} __attribute__((aligned(64)));

/*
 * Where the calling thread is, for the functions below; one variable, so that one line holds it.
 * Initial-exec: the library is there from the start, and this is read on every call, where a
 * __tls_get_addr that may allocate has no place.
 */
struct thread_place {
	struct thread *current;
	int *host_errno;       /* NULL until somebody asks */
	const void *visit;     /* NULL: the thread is not inside culprit */
	enum driver_call call; /* of the visit */
	bool is_passing; /* nobody will tell us when it ends: it gives its state back each time */
};
extern __thread struct thread_place thread_place
	__attribute__((tls_model("initial-exec"), visibility("hidden"), aligned(32)));

/*
 * The calling thread's state, made at its first call; NULL when there is no memory. A ring left by
 * an ended thread is taken over: records carry their thread's id. Any thread.
 */
struct thread *thread_start(void);
static inline struct thread *thread_self(void)
{
	return thread_place.current ? thread_place.current : thread_start();
}

/* In the child of a fork(), where nothing is recorded: for kernels that do not wipe. */
void thread_forget(void);

/* Where the calling thread's errno is: the C library's answer, remembered. Any thread. */
int *thread_find_errno(void);
static inline int *thread_errno(void)
{
	return thread_place.host_errno ? thread_place.host_errno : thread_find_errno();
}

/*
 * Guard against re-entry: enter() is false when this thread is already inside culprit, and the
 * call must pass through untouched. `visit` is an address in the frame of the call (not NULL), by
 * which a call is told from one that was left by a jump. Signal-safe.
 */
static inline bool thread_enter(const void *visit, enum driver_call call)
{
	if (thread_place.visit)
		return false;
	thread_place.visit = visit;
	thread_place.call = call;
	return true;
}

/* Leaves the visit; of a thread whose end nobody tells, its state goes with it. Any thread. */
void thread_pass(void);
static inline void thread_leave(void)
{
	if (thread_place.is_passing)
		thread_pass();
	thread_place.visit = NULL;
}

/* Is the thread in this visit? Signal-safe. */
static inline bool thread_is_in(const void *visit)
{
	return thread_place.visit == visit;
}

/* The visit that the thread is in, and its call; NULL: it is in none. Signal-safe. */
const void *thread_visit(enum driver_call *out_call);

/*
 * The visit that the thread is in will not come back: it was left by a jump, an exception or the
 * thread's end. What it held is given back, and what it may have done is of unknown order. Slot
 * owner only.
 */
void thread_give_up_visit(void);

#endif
