/*
 * call_scope.h - how every call enters culprit and leaves it. Inlined in launches.
 */
#ifndef CULPRIT_CALL_CALL_SCOPE_H
#define CULPRIT_CALL_CALL_SCOPE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/hot.h"
#include "call/call_state.h"
#include "record/thread.h"

/*
 * Slow path: a thread's first call, a call inside another one, or one while nothing is recorded.
 * Returns the thread's state, now inside this call; NULL: the call is not recorded.
 */
struct thread *call_scope_begin(struct call *call);

/*
 * End the call: pass its result to its stage (NULL: none). Returns the result for the application.
 */
CUresult call_scope_leave(struct call *call, CUresult result,
			  void (*after)(struct call *call, CUresult result));

/* Handle the error of a call that is not recorded; returns as call_scope_leave(). Any thread. */
CUresult call_scope_failed(enum driver_call id, CUresult result, void *frame);

/*
 * From now on the program may see what the driver rejects, and must not see calls of culprit. Any
 * thread. Signal-safe.
 */
void call_scope_stop_asking(void);

/* Fill the call completely before it becomes the thread's: a signal handler may read it. */
static inline void call_scope_fill(struct call *call, enum driver_call id, const void *args,
				   void *frame)
{
	call->id = id;
	call->args = args;
	call->frame = frame;
	call->stream = call->capturing = call->unordered = NULL;
	call->row = NULL;
	call->ordinal = 0;
}

/*
 * Return the calling thread's state. The thread is inside the call, and counts as on its way into
 * the driver until grace_arrive(). NULL: pass the call through.
 */
static inline struct thread *call_scope_enter(struct call *call, enum driver_call id)
{
	struct thread *thread = thread_slot.current;
	/* Recording is on in a thread that has a state, except in a fork's child. */
	if (LIKELY(thread) && LIKELY(thread->tid) && LIKELY(!thread_slot.scope)) {
		thread_slot.scope = call;
		thread_slot.call = id;
	} else {
		thread = call_scope_begin(call);
		if (!thread)
			return NULL;
	}
	call->thread = thread;
	grace_come(&thread->coming);
	return thread;
}

/* True if the thread is still in the call: it was not given up, and no signal handler forked. */
static inline bool call_scope_goes_on(const struct call *call)
{
	return LIKELY(thread_is_in(call)) && LIKELY(call->thread->tid);
}

#endif
