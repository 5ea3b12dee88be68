/*
 * call.c - the order of the stages. This table shows what happens to a call of each role before and
 * after the driver's call.
 */
#include "call/call.h"

#include <stddef.h>

#include "call/call_parts.h"
#include "call/call_scope.h"
#include "call/submission.h"
#include "failure/doubt.h"
#include "record/thread.h"

/* Either half may be NULL. `after` receives the driver's result and cannot change it. */
struct stage {
	void (*before)(struct call *call);
	void (*after)(struct call *call, CUresult result);
};

static void log_before(struct call *call)
{
	(void)call;
	call_scope_stop_asking();
}

static const struct stage stages[] = {
	[ROLE_GRAPH_LAUNCH] = {submission_before, graph_launch_after},
	[ROLE_COPY] = {submission_copy_before, submission_copy_after},
	[ROLE_MEMSET] = {submission_before, submission_after},
	[ROLE_MEMOP] = {submission_before, submission_after},
	[ROLE_HOST_FUNC] = {submission_before, submission_after},
	[ROLE_EVENT_RECORD] = {synchronize_record_before, synchronize_record_after},
	[ROLE_EVENT_WAIT] = {synchronize_wait_before, synchronize_wait_after},
	[ROLE_SYNC] = {synchronize_before, synchronize_after},
	[ROLE_QUERY] = {synchronize_before, synchronize_after},
	[ROLE_ALLOC] = {NULL, memory_alloc_after},
	[ROLE_FREE] = {memory_free_before, memory_free_after},
	[ROLE_CREATE] = {NULL, object_create_after},
	[ROLE_CLEANUP] = {object_cleanup_before, object_cleanup_after},
	[ROLE_CONTEXT] = {context_before, context_after},
	[ROLE_CAPTURE] = {object_capture_before, object_capture_after},
	[ROLE_GRAPH] = {graph_before, graph_after},
	[ROLE_GRAPH_EVENT] = {synchronize_graph_before, graph_after},
	[ROLE_MODULE] = {object_module_before, object_module_after},
	[ROLE_LOOKUP] = {NULL, object_lookup_after},
	[ROLE_LOG] = {log_before, NULL},
	[ROLE_HOOK] = {NULL, NULL},
};

static const struct stage *stage_of(enum driver_call id)
{
	return &stages[driver_calls[id].role];
}

bool call_enter(struct call *call, enum driver_call id, const void *args, void *frame)
{
	call_scope_fill(call, id, args, frame);
	call->point = (struct progress_point){0};
	call->context = NULL;
	struct thread *thread = call_scope_enter(call, id);
	if (!thread)
		return false;
	int host_errno = *thread_slot.host_errno;
	if (stage_of(id)->before)
		stage_of(id)->before(call);
	*thread_slot.host_errno = host_errno;
	waits_begin(call);
	grace_arrive(&thread->coming);
	return true;
}

bool call_is_doubted(enum driver_call id)
{
	return doubt_success(id, 0);
}

CUresult call_leave(struct call *call, CUresult result)
{
	if (thread_is_in(call))
		waits_end(call);
	return call_scope_leave(call, result, stage_of(call->id)->after);
}
