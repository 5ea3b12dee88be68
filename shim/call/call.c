/*
 * call.c - the order of the stages. This table shows what happens to a call of each role before and
 * after the driver's call.
 */
#include "call/call.h"

#include <stddef.h>

#include "base/failure_class.h"
#include "base/hot.h"
#include "call/call_parts.h"
#include "call/describe.h"
#include "call/visit.h"
#include "failure/cleanup.h"
#include "failure/doubt.h"
#include "failure/fail_closed.h"
#include "failure/failed_contexts.h"
#include "failure/failure.h"
#include "record/driver/captures.h"
#include "record/host/recording.h"
#include "record/objects/code_addresses.h"
#include "record/objects/functions.h"
#include "record/streams/contexts.h"
#include "record/streams/stream_rows.h"
#include "record/streams/streams.h"
#include "record/thread.h"

/* Either half may be NULL. `after` receives the driver's result and cannot change it. */
struct stage {
	void (*before)(struct call *call);
	void (*after)(struct call *call, CUresult result);
};

/* From now on the program may see what the driver rejects, and must not see calls of culprit. */
static void stop_asking(void)
{
	functions_observed();
	code_addresses_stop_asking();
}

static void log_before(struct call *call)
{
	(void)call;
	stop_asking();
}

static const struct stage stages[] = {
	[ROLE_GRAPH_LAUNCH] = {submission_before, graph_launch_after},
	[ROLE_COPY] = {copy_before, copy_after},
	[ROLE_MEMSET] = {submission_before, submission_after},
	[ROLE_MEMOP] = {submission_before, submission_after},
	[ROLE_HOST_FUNC] = {submission_before, submission_after},
	[ROLE_EVENT_RECORD] = {event_record_before, event_record_after},
	[ROLE_EVENT_WAIT] = {event_wait_before, event_wait_after},
	[ROLE_SYNC] = {synchronize_before, synchronize_after},
	[ROLE_QUERY] = {synchronize_before, synchronize_after},
	[ROLE_ALLOC] = {NULL, memory_alloc_after},
	[ROLE_FREE] = {memory_free_before, memory_free_after},
	[ROLE_CREATE] = {NULL, object_create_after},
	[ROLE_CLEANUP] = {object_cleanup_before, object_cleanup_after},
	[ROLE_CONTEXT] = {context_before, context_after},
	[ROLE_CAPTURE] = {object_capture_before, object_capture_after},
	[ROLE_GRAPH] = {graph_before, graph_after},
	[ROLE_GRAPH_EVENT] = {graph_event_before, graph_after},
	[ROLE_MODULE] = {object_module_before, object_module_after},
	[ROLE_LOOKUP] = {NULL, object_lookup_after},
	[ROLE_LOG] = {log_before, NULL},
	[ROLE_DOOR] = {NULL, NULL},
};

static const struct stage *stage_of(enum driver_call id)
{
	return &stages[driver_calls[id].role];
}

/*
 * Account for an unrecorded call. Unseen work may be the culprit, so later verdicts cannot be
 * exact. The same holds once a handle means something else than what is recorded for it: an event
 * that was recorded anew says nothing about its old point.
 */
static void pass_unseen(enum driver_call id)
{
	enum call_role role = driver_calls[id].role;
	/* While recording is off, no handle is recorded. */
	if (role_queues_work(role) || (role_changes_handles(role) && recording_is_on()))
		streams_note_lost();
	/* A capture may have started: streams are asked from now on, which costs little. */
	if (role == ROLE_CAPTURE)
		captures_begun();
	if (role == ROLE_LOG)
		stop_asking();
}

/* The thread is inside another call. Enter if that call was left without returning. */
static bool enter_again(struct call *call)
{
	if (!abandoned_is_visit(call))
		return false;
	int host_errno = *thread_errno();
	thread_give_up_visit();
	*thread_errno() = host_errno;
	return thread_enter(call, call->id);
}

static bool enter(struct call *call)
{
	return recording_is_on() && (thread_enter(call, call->id) || enter_again(call));
}

/* Return the state of the thread, which has entered; NULL without memory. */
static struct thread *state_of_thread(void)
{
	int *place = thread_errno();
	int host_errno = *place;
	struct thread *thread = thread_self();
	if (!thread)
		thread_leave();
	*place = host_errno;
	return thread;
}

COLD struct thread *visit_begin(struct call *call)
{
	struct thread *thread = enter(call) ? state_of_thread() : NULL;
	if (!thread)
		pass_unseen(call->id);
	return thread;
}

bool call_enter(struct call *call, enum driver_call id, const void *args, void *frame)
{
	visit_fill(call, id, args, frame);
	call->point = (struct progress_point){0};
	call->context = NULL;
	struct thread *thread = visit_enter(call, id);
	if (!thread)
		return false;
	int host_errno = *thread_place.host_errno;
	if (stage_of(id)->before)
		stage_of(id)->before(call);
	*thread_place.host_errno = host_errno;
	waits_begin(call);
	grace_arrive(&thread->coming);
	return true;
}

bool call_is_doubted(enum driver_call id)
{
	return doubt_success(id, 0);
}

static COLD bool is_doubted_call(const struct call *call)
{
	return doubt_success(call->id, call->ordinal && call->row ? call->row->sequence : 0);
}

static CUresult seen_result(const struct observer *observer, CUresult result)
{
	failure_consider(observer, result);
	return doubt_result(observer->id, result);
}

/* Return the stream of a call that may be the failure's observer; NULL: none. */
static COLD const struct stream *observed_stream(const struct call *call)
{
	const struct driver_call_facts *facts = &driver_calls[call->id];
	if (call->row)
		return call->stream ? call->stream : call->unordered;
	if (facts->stream_offset == NO_STREAM_ARGUMENT || facts->role == ROLE_CLEANUP)
		return NULL;
	grace_come(&call->thread->coming); /* The driver may be asked about the stream. */
	const struct stream *stream = streams_of(&call->thread->streams, describe_stream(call),
						 facts->is_default_per_thread);
	grace_arrive(&call->thread->coming);
	return stream;
}

static CUresult settle_result(const struct call *call, CUresult result)
{
	struct observer observer = {.thread = call->thread, .frame = call->frame, .id = call->id};
	bool may_be_failure = result == CUDA_SUCCESS || failure_is_sticky((int32_t)result);
	if (may_be_failure && !failure_has_happened()) {
		const struct stream *stream = observed_stream(call);
		observer.stream = call->row ? call->row->stream : stream ? stream->id : 0;
		observer.context = stream ? stream->context : contexts_known(call->context);
	}
	return seen_result(&observer, result);
}

/*
 * Turn a settled error into the one that the application sees. was_received: the program had
 * already received the failure when the driver's call returned.
 */
static CUresult show_error(struct thread *thread, enum driver_call id, CUresult result,
			   bool was_received)
{
	if (!failure_has_happened())
		return result;
	/* A call that discovers a failure keeps its error, whatever its role. */
	was_received = was_received && !failure_is_later(result);
	result = cleanup_result(thread, id, result, was_received);
	if (failure_is_sticky((int32_t)result))
		failed_contexts_receive();
	return result;
}

/* Return the result that the application sees of a failed call, or of a doubted success. */
static COLD CUresult settle(struct call *call, CUresult result)
{
	bool is_doubted = result == CUDA_SUCCESS;
	bool was_received = failure_has_happened() && failed_contexts_are_received();
	result = settle_result(call, result);
	if (is_doubted && call->row)
		__atomic_store_n(&call->row->result, (int32_t)result, __ATOMIC_RELEASE);
	/* The driver accepted the work after all, but its stage did not count it. */
	if (is_doubted && result == CUDA_SUCCESS && (call->stream || call->unordered))
		streams_note_lost();
	if (call->row && result != CUDA_SUCCESS && !failure_has_happened()) {
		submission_refused(call, result);
		if (driver_calls[call->id].role == ROLE_LAUNCH)
			refusal_explain(call, result);
	}
	return result == CUDA_SUCCESS ? result
				      : show_error(call->thread, call->id, result, was_received);
}

/* Leave a call that failed, or whose success is doubted, unless it ends the process. */
static COLD CUresult leave_settled(struct call *call, CUresult result)
{
	uint32_t tid = call->thread->tid;
	result = settle(call, result);
	thread_leave();
	fail_closed(tid);
	return result;
}

CUresult visit_leave(struct call *call, CUresult result,
		     void (*after)(struct call *call, CUresult result))
{
	if (!visit_goes_on(call))
		return result;
	grace_return(&call->thread->coming);
	int *place = thread_place.host_errno;
	int host_errno = *place;
	bool is_doubted = result == CUDA_SUCCESS && doubt_is_on() && is_doubted_call(call);
	/* A doubted call proves nothing, so its stage sees it as not yet returned. */
	if (after)
		after(call, is_doubted ? (CUresult)RESULT_PENDING : result);
	if (UNLIKELY(result != CUDA_SUCCESS || is_doubted))
		result = leave_settled(call, result);
	else
		thread_leave();
	*place = host_errno;
	return result;
}

CUresult call_leave(struct call *call, CUresult result)
{
	if (thread_is_in(call))
		waits_end(call);
	return visit_leave(call, result, stage_of(call->id)->after);
}

CUresult call_failed(enum driver_call id, CUresult result, void *frame)
{
	struct call call = {.id = id, .frame = frame};
	if (!enter(&call))
		return result;
	int host_errno = *thread_errno();
	struct thread *thread = thread_self();
	if (thread) {
		grace_arrive(&thread->coming);
		const struct observer observer = {.thread = thread, .frame = frame, .id = id};
		bool was_received = failure_has_happened() && failed_contexts_are_received();
		result = seen_result(&observer, result);
		if (result != CUDA_SUCCESS)
			result = show_error(thread, id, result, was_received);
	}
	uint32_t tid = thread ? thread->tid : 0;
	thread_leave();
	fail_closed(tid);
	*thread_errno() = host_errno;
	return result;
}
