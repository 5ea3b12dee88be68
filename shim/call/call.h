/*
 * call.h - the pipeline that every recorded call runs through: the one interface between the entry
 * points, which know how a call reaches us, and the stages, which know what it means.
 */
#ifndef CULPRIT_CALL_CALL_H
#define CULPRIT_CALL_CALL_H

#include <stdbool.h>

#include "driver_calls.h"

/* One call on its way: lives in the frame of its entry point from call_enter to call_leave. */
struct call {
	enum driver_call id;
	const void *args; /* struct args_<name> of id */
	void *frame;      /* of the entry point: where the walk over the caller's stack starts */
};

/*
 * Before the driver is called. false: pass the call through and do not call call_leave (it came
 * from inside another call of this thread, or nothing is being recorded). Any thread.
 */
bool call_enter(struct call *call, enum driver_call id, const void *args, void *frame);

/* After the driver returned RESULT: returns what the application shall see. Any thread. */
CUresult call_leave(struct call *call, CUresult result);

/* A call that is not recorded returned another result than success. As call_leave. Any thread. */
CUresult call_failed(enum driver_call id, CUresult result, void *frame);

/* After a successful cuGetErrorString: may put a longer text into *text. Any thread. */
void call_error_string(CUresult error, const char **text);

/* cuEventCheckError, whose contract is in culprit.h. Any thread. */
CUresult call_event_check_error(CUresult *out_result, CUevent event, unsigned int flags);

#endif
