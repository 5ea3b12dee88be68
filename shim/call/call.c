/*
 * call.c - the order of the stages: the one place where it can be read what happens to a call of
 * each role before and after the driver does it.
 */
#include "call.h"

#include <stddef.h>

#include "cleanup.h"
#include "coredumps.h"
#include "failure.h"
#include "graph_stages.h"
#include "hot.h"
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
	[ROLE_GRAPH] = {graph_before, graph_after},
	[ROLE_GRAPH_EVENT] = {graph_event_before, graph_after},
	[ROLE_MODULE] = {module_before, module_after},
	[ROLE_LOOKUP] = {NULL, lookup_after},
	[ROLE_DOOR] = {NULL, NULL},
};

static const struct stage *stage_of(enum driver_call id)
{
	return &stages[driver_calls[id].role];
}

/*
 * Work that passes us unseen may be the culprit: from then on no verdict can be exact. Nor once a
 * handle has come to mean something else than what is recorded of it: an event that was recorded
 * anew proves nothing of where it stood before.
 */
static COLD bool pass_unseen(enum driver_call id)
{
	switch (driver_calls[id].role) {
	case ROLE_LAUNCH:
	case ROLE_GRAPH_LAUNCH:
	case ROLE_COPY:
	case ROLE_MEMSET:
	case ROLE_MEMOP:
		streams_note_lost();
		break;
	case ROLE_EVENT_RECORD:
	case ROLE_CREATE:
	case ROLE_CLEANUP:
	case ROLE_CAPTURE:
	case ROLE_GRAPH:
	case ROLE_GRAPH_EVENT:
	case ROLE_MODULE:
		if (recording_is_on()) /* else nothing is recorded of any handle */
			streams_note_lost();
		break;
	default:
		break;
	}
	return false;
}

HOT bool call_enter(struct call *call, enum driver_call id, const void *args, void *frame)
{
	if (!recording_is_on() || !thread_enter())
		return pass_unseen(id);
	int host_errno = *thread_errno();
	*call = (struct call){.id = id, .args = args, .frame = frame, .thread = thread_self()};
	bool entered = call->thread;
	if (!entered)
		thread_leave();
	else if (stage_of(id)->before)
		stage_of(id)->before(call);
	*thread_errno() = host_errno;
	return entered || pass_unseen(id);
}

bool call_is_doubted(enum driver_call id)
{
	if (!coredumps_are_watched())
		return false;
	int host_errno = *thread_errno();
	bool is_hidden = failure_is_hidden(id, 0);
	*thread_errno() = host_errno;
	return is_hidden;
}

static COLD bool is_doubted_call(const struct call *call)
{
	return failure_is_hidden(call->id, call->ordinal && call->row ? call->row->sequence : 0);
}

/* What the application sees of a call that failed, or whose success is in doubt. */
static COLD CUresult settle(struct call *call, CUresult result)
{
	bool is_doubted = result == CUDA_SUCCESS;
	result = failure_consider(call->thread, call->id, result, call->frame);
	if (is_doubted && call->row)
		__atomic_store_n(&call->row->result, (int32_t)result, __ATOMIC_RELEASE);
	/* The driver took it, after all, and its stage did not count it. */
	if (is_doubted && result == CUDA_SUCCESS && call->stream)
		streams_note_lost();
	return result == CUDA_SUCCESS ? result : cleanup_result(call->thread, call->id, result);
}

HOT CUresult call_leave(struct call *call, CUresult result)
{
	int host_errno = *thread_errno();
	bool is_doubted =
		result == CUDA_SUCCESS && coredumps_are_watched() && is_doubted_call(call);
	/* Nothing may be believed of a doubted call, so its stage is told that it has not ended. */
	if (stage_of(call->id)->after)
		stage_of(call->id)->after(call, is_doubted ? (CUresult)RESULT_PENDING : result);
	if (is_doubted || result != CUDA_SUCCESS)
		result = settle(call, result);
	thread_leave();
	*thread_errno() = host_errno;
	return result;
}

CUresult call_failed(enum driver_call id, CUresult result, void *frame)
{
	if (!recording_is_on() || !thread_enter())
		return result;
	int host_errno = *thread_errno();
	struct thread *thread = thread_self();
	if (thread) {
		result = failure_consider(thread, id, result, frame);
		if (result != CUDA_SUCCESS)
			result = cleanup_result(thread, id, result);
	}
	thread_leave();
	*thread_errno() = host_errno;
	return result;
}
