/*
 * call_state.h - one call on its way through the stages, and what each stage keeps for the next.
 */
#ifndef CULPRIT_CALL_CALL_STATE_H
#define CULPRIT_CALL_CALL_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/driver_calls.h"

struct journal_record;
struct progress_tracker;
struct stream;
struct stream_row;
struct thread;

/* Work of a stream that a call may prove finished: everything up to and including the ordinal. */
struct progress_point {
	struct stream_row *row;
	uint64_t ordinal;
	struct progress_tracker *tracker; /* the stream's; NULL: only its row is known */
};

/* Lives in the entry point's frame from call_enter() to call_leave(). */
struct call {
	enum driver_call id;
	uint32_t freed;   /* frees: the row of the range to free; 0: none */
	const void *args; /* struct args_<name> of id */
	void *frame;      /* FRAME_HERE() of the entry point; a walk over the stack starts here */
	/* A stage keeps these from before the driver's call for after it. */
	struct thread *thread;
	struct stream *stream;      /* locked during the call, or NULL */
	struct stream *capturing;   /* the same, but the submission goes into a graph */
	struct stream *unordered;   /* the stream, not locked; numbered after the call */
	struct journal_record *row; /* in the thread's ring, or NULL */
	uint64_t ordinal;           /* of the submission, if it is accepted */
	uint64_t time_ns;
	struct progress_point point; /* sync, query, event wait: of one stream */
	CUcontext context;           /* context calls: the one that the call may end */
};

/* The arguments of a call of this family. */
#define CALL_ARGUMENTS(call, name) ((const struct args_##name *)(call)->args)

/* Return the event that the call is about; NULL: none, or several. Any thread. */
static inline CUevent call_event(const struct call *call)
{
	int offset = driver_calls[call->id].event_offset;
	return offset == NO_EVENT_ARGUMENT ? NULL
					   : *(const CUevent *)((const char *)call->args + offset);
}

/* Return the call's id without _ptsz or _ptds, by which the stages distinguish calls. Any thread.
 */
static inline enum driver_call call_family(const struct call *call)
{
	return driver_calls[call->id].family;
}

#endif
