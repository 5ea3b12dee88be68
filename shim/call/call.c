/*
 * call.c - the order of the stages: the one place where it can be read what happens to a call of
 * each role before and after the driver does it.
 */
#include "call.h"

#include <errno.h>
#include <stddef.h>

#include "cleanup.h"
#include "failure.h"
#include "objects.h"
#include "recording.h"
#include "streams.h"
#include "submission.h"
#include "synchronize.h"
#include "thread.h"

/* Either half may be NULL. `after` is told the driver's result and cannot change it. */
struct stage {
	void (*before)(struct call *call);
	void (*after)(struct call *call, CUresult result);
};

static const struct stage stages[] = {
	[ROLE_LAUNCH] = {submission_before, submission_after},
	[ROLE_GRAPH_LAUNCH] = {submission_before, submission_after},
	[ROLE_COPY] = {submission_before, submission_after},
	[ROLE_MEMSET] = {submission_before, submission_after},
	[ROLE_MEMOP] = {submission_before, submission_after},
	[ROLE_HOST_FUNC] = {submission_before, submission_after},
	[ROLE_EVENT_RECORD] = {event_record_before, event_record_after},
	[ROLE_EVENT_WAIT] = {event_wait_before, event_wait_after},
	[ROLE_SYNC] = {synchronize_before, synchronize_after},
	[ROLE_QUERY] = {synchronize_before, synchronize_after},
	[ROLE_ALLOC] = {NULL, alloc_after},
	[ROLE_FREE] = {free_before, NULL},
	[ROLE_CREATE] = {NULL, create_after},
	[ROLE_CLEANUP] = {cleanup_before, NULL},
	[ROLE_CONTEXT] = {context_before, context_after},
	[ROLE_CAPTURE] = {capture_before, capture_after},
	[ROLE_GRAPH_EVENT] = {graph_event_before, NULL},
	[ROLE_MODULE] = {module_before, module_after},
	[ROLE_LOOKUP] = {NULL, lookup_after},
	[ROLE_DOOR] = {NULL, NULL},
};

static const struct stage *stage_of(enum driver_call id)
{
	return &stages[driver_calls[id].role];
}

/* Work that passes us unseen may be the culprit: from then on no verdict can be exact. */
static bool pass_unseen(enum driver_call id)
{
	switch (driver_calls[id].role) {
	case ROLE_LAUNCH:
	case ROLE_GRAPH_LAUNCH:
	case ROLE_COPY:
	case ROLE_MEMSET:
	case ROLE_MEMOP:
		streams_note_lost();
		break;
	default:
		break;
	}
	return false;
}

bool call_enter(struct call *call, enum driver_call id, const void *args, void *frame)
{
	if (!recording_is_on() || !thread_enter())
		return pass_unseen(id);
	int host_errno = errno;
	*call = (struct call){.id = id, .args = args, .frame = frame, .thread = thread_self()};
	bool entered = call->thread;
	if (!entered)
		thread_leave();
	else if (stage_of(id)->before)
		stage_of(id)->before(call);
	errno = host_errno;
	return entered || pass_unseen(id);
}

CUresult call_leave(struct call *call, CUresult result)
{
	int host_errno = errno;
	if (stage_of(call->id)->after)
		stage_of(call->id)->after(call, result);
	if (result != CUDA_SUCCESS) {
		failure_consider(call->thread, call->id, result, call->frame);
		result = cleanup_result(call->thread, call->id, result);
	}
	thread_leave();
	errno = host_errno;
	return result;
}

CUresult call_failed(enum driver_call id, CUresult result, void *frame)
{
	if (!recording_is_on() || !thread_enter())
		return result;
	int host_errno = errno;
	struct thread *thread = thread_self();
	if (thread) {
		failure_consider(thread, id, result, frame);
		result = cleanup_result(thread, id, result);
	}
	thread_leave();
	errno = host_errno;
	return result;
}
