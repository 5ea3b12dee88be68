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
#include "base/hot.h"
#include "record/host/grace_period.h"
#include "record/host/tick_clock.h"
#include "record/journal/call_names.h"
#include "record/journal/ring.h"
#include "record/objects/functions.h"
#include "record/stacks/stack_cache.h"
#include "record/streams/streams.h"
#include "record/streams/sync_points.h"

/* The shape of a launch: x, y and z of grid and block, then the bytes of shared memory. */
enum { LAUNCH_SHAPE = 7 };

/*
 * The state of one thread. Every launch reads the first two lines of 64 bytes, which instructions
 * can address with one byte. In the caches, a launch touches only the entries that it finds.
 */
struct thread {
	uint32_t tid;    /* 0 in the child of a fork, where the kernel wipes the whole state */
	uint32_t coming; /* atomic: see grace_period.h */
	struct call_name call_name;
	struct tick_clock clock;
	struct stream_cache streams; /* its entries are in stream_finds */
	struct ring ring;
	struct stack_cache stacks; /* its ways are on the first page */
	struct stream_finds stream_finds;
	struct function_cache functions;
	struct args_cuLaunchKernel launch; /* a launch with other arguments, converted to these */
	CUfunction new_kernel; /* of the launch that looked it up: see THREAD_HAS_NEW_KERNEL */
	struct sync_points sync_points;
	uint32_t row;          /* id in threads, 0: no room */
	struct wait_row *wait; /* in waits, NULL: no room */
	struct grace_reader grace;
	struct thread *next_free; /* in the list of states whose thread has finished */
} __attribute__((aligned(64)));

/* Why a thread does not leave a launch by the fast path. */
enum thread_slow {
	THREAD_IS_PASSING = 1,     /* its exit cannot be seen: it releases its state each time */
	THREAD_HAS_NEW_KERNEL = 2, /* the launch looked its kernel up */
};

/*
 * The calling thread's data for the functions below, in one variable, so that one line holds it.
 * Initial-exec: every call reads it, and must not call __tls_get_addr, which may allocate. The
 * library is loaded at the start of the program.
 */
struct thread_slot {
	struct thread *current;
	int *host_errno;       /* NULL before the first request */
	const void *scope;     /* the current scope, NULL if the thread is not inside culprit */
	enum driver_call call; /* of the scope */
	uint8_t slow;          /* enum thread_slow */
};
extern __thread struct thread_slot thread_slot
	__attribute__((tls_model("initial-exec"), visibility("hidden"), aligned(32)));

/*
 * Return the calling thread's state, made at its first call; NULL if memory is short. A thread that
 * has made it counts as on its way to the driver until grace_arrive(). The ring of a finished
 * thread is used again: records carry their thread's id. Any thread.
 */
struct thread *thread_start(void);
static inline struct thread *thread_self(void)
{
	return thread_slot.current ? thread_slot.current : thread_start();
}

/* Forget the state in a fork()'s child, which records nothing, if the kernel cannot wipe it. */
void thread_forget(void);

/* Return the address of the calling thread's errno, cached from the C library. Any thread.
 * Signal-safe. */
int *thread_find_errno(void);
static inline int *thread_errno(void)
{
	return thread_slot.host_errno ? thread_slot.host_errno : thread_find_errno();
}

/*
 * Guard against re-entry. enter() returns false if this thread is already inside culprit: the call
 * must then pass through untouched. `scope` is an address in the frame of the call, not NULL. It
 * distinguishes the call from one that was left by a jump. Signal-safe.
 */
static inline bool thread_enter(const void *scope, enum driver_call call)
{
	if (thread_slot.scope)
		return false;
	thread_slot.scope = scope;
	thread_slot.call = call;
	return true;
}

/* Leave the scope. A thread whose exit cannot be seen also releases its state. Any thread. */
void thread_pass(void);
static inline void thread_leave(void)
{
	if (UNLIKELY(thread_slot.slow & THREAD_IS_PASSING))
		thread_pass();
	thread_slot.scope = NULL;
}

/* True if the thread is in this scope. Signal-safe. */
static inline bool thread_is_in(const void *scope)
{
	return thread_slot.scope == scope;
}

/* Return the thread's current scope, NULL if it is in none, and the scope's call. Signal-safe. */
const void *thread_scope(enum driver_call *out_call);

/*
 * Give up the thread's current scope, which was left by a jump, an exception or the thread's exit.
 * Its locks are released, and the order of its possible work counts as unknown. Slot owner only.
 */
void thread_give_up_scope(void);

#endif
