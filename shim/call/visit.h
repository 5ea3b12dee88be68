/*
 * visit.h - the way of a call into culprit and out again, which is the same for all of them: for
 * call.c, and in line for launches.
 */
#ifndef CULPRIT_CALL_VISIT_H
#define CULPRIT_CALL_VISIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/hot.h"
#include "call/call_state.h"
#include "record/thread.h"

/*
 * What few calls need: the thread's first one, one that is inside another, and where nothing is
 * recorded. Returns the thread's state, which is in the visit; NULL: the call is not recorded.
 */
struct thread *visit_begin(struct call *call);

/*
 * The call is over. Lets its stage (NULL: none) look at that; returns what the application shall
 * see.
 */
CUresult visit_leave(struct call *call, CUresult result,
		     void (*after)(struct call *call, CUresult result));

/* All of it before it is the thread's visit: a signal's handler may look at that. */
static inline void visit_fill(struct call *call, enum driver_call id, const void *args, void *frame)
{
	call->id = id;
	call->args = args;
	call->frame = frame;
	call->stream = call->capturing = call->unordered = NULL;
	call->row = NULL;
	call->ordinal = 0;
}

/*
 * The calling thread's state, which is in the visit and coming, until grace_arrive(). NULL: pass
 * the call through.
 */
static inline struct thread *visit_enter(struct call *call, enum driver_call id)
{
	struct thread *thread = thread_place.current;
	/* Of a thread that has a state, and outside of a fork's child, recording is on. */
	if (USUALLY(thread) && USUALLY(thread->tid) && USUALLY(!thread_place.visit)) {
		thread_place.visit = call;
		thread_place.call = id;
	} else {
		thread = visit_begin(call);
		if (!thread)
			return NULL;
	}
	call->thread = thread;
	grace_come(&thread->coming);
	return thread;
}

/* Is the thread still in the visit? Not if it was given up, or a signal's handler has forked. */
static inline bool visit_goes_on(const struct call *call)
{
	return USUALLY(thread_is_in(call)) && USUALLY(call->thread->tid);
}

#endif
