/*
 * call.h - the pipeline that every recorded call runs through: the one interface between the entry
 * points, which know how a call reaches us, and the stages, which know what it means.
 */
#ifndef CULPRIT_CALL_CALL_H
#define CULPRIT_CALL_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "driver_calls.h"

struct journal_record;
struct stream;
struct stream_row;
struct thread;

/* Work of a stream that a call may prove finished: everything up to the ordinal. */
struct progress_point {
	struct stream_row *row;
	uint64_t ordinal;
};

/* One call on its way: lives in the frame of its entry point from call_enter to call_leave. */
struct call {
	enum driver_call id;
	const void *args; /* struct args_<name> of id */
	void *frame;      /* of the entry point: where the walk over the caller's stack starts */
	/* What a stage keeps from before the driver's call for after it. */
	struct thread *thread;
	struct stream *stream;      /* held locked during the call, or NULL */
	struct stream *capturing;   /* the same, but what is submitted goes into a graph */
	struct journal_record *row; /* in the thread's ring, or NULL */
	uint64_t ordinal;           /* of the submission, if it is accepted */
	uint64_t time_ns;
	struct progress_point point; /* sync, query, event wait: one stream's */
	CUcontext context;           /* context calls: the one that goes */
};

/*
 * Before the driver is called. false: pass the call through and do not call call_leave (it came
 * from inside another call of this thread, or nothing is being recorded). Any thread.
 */
bool call_enter(struct call *call, enum driver_call id, const void *args, void *frame);

/* After the driver returned RESULT: returns what the application shall see. Any thread. */
CUresult call_leave(struct call *call, CUresult result);

/*
 * Is the success that a call has returned in doubt? Of a call that is not recorded call_failed then
 * tells the result. Any thread.
 */
bool call_is_doubted(enum driver_call id);

/* A call that is not recorded returned another result than success. As call_leave. Any thread. */
CUresult call_failed(enum driver_call id, CUresult result, void *frame);

/* After a successful cuGetErrorString: may put a longer text into *text. Any thread. */
void call_error_string(CUresult error, const char **text);

/* cuEventCheckError, whose contract is in culprit.h. Any thread. */
CUresult call_event_check_error(CUresult *out_result, CUevent event, unsigned int flags);

#endif
