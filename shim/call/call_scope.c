/*
 * call_scope.c - how a call enters culprit, and how it leaves with the result that the application
 * sees.
 *
 * A call may be abandoned: a program may leave the driver by siglongjmp, by an exception or by the
 * end of its thread. culprit is not notified. An abandoned call must be distinguished from one that
 * is still in progress below us, since signal handlers and the driver itself make calls as well.
 *
 * On one stack, a frame below the frame that is entered now no longer exists. A frame above it may
 * be in progress. If the program jumped out of it and came down again, something else is in its
 * place. A frame on another stack, a coroutine's or a handler's, may be in progress wherever it is,
 * and its memory may be unmapped.
 */
#include "call/call_scope.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>

#include "arch/frame.h"
#include "base/failure_class.h"
#include "call/call_parts.h"
#include "call/describe.h"
#include "call/submission.h"
#include "failure/cleanup.h"
#include "failure/doubt.h"
#include "failure/fail_closed.h"
#include "failure/failed_contexts.h"
#include "failure/failure.h"
#include "record/driver/captures.h"
#include "record/host/recording.h"
#include "record/objects/code_addresses.h"
#include "record/objects/functions.h"
#include "record/stacks/unwind_memory.h"
#include "record/streams/contexts.h"
#include "record/streams/stream_rows.h"
#include "record/streams/streams.h"

/* An upper bound of an entry point's frame, which holds its call and its arguments. */
enum { MAX_FRAME = 4096 };

/* The stack that the thread's signal handlers run on, if the thread is on it now; else empty. */
struct span {
	uintptr_t low, high;
};

static struct span handlers_stack(void)
{
	int host_errno = errno;
	stack_t stack;
	bool is_on = sigaltstack(NULL, &stack) == 0 && stack.ss_flags & SS_ONSTACK;
	errno = host_errno;
	uintptr_t low = is_on ? (uintptr_t)stack.ss_sp : 0;
	return (struct span){.low = low, .high = is_on ? low + stack.ss_size : 0};
}

static bool is_in(struct span span, uintptr_t address)
{
	return address >= span.low && address < span.high;
}

static bool is_on_own_stack(uintptr_t address)
{
	struct unwind_memory memory = {0};
	unwind_memory_begin(&memory, address);
	return memory.is_own;
}

static bool are_on_one_stack(uintptr_t frame, uintptr_t scope)
{
	struct span handlers = handlers_stack();
	if (is_in(handlers, frame) || is_in(handlers, scope))
		return is_in(handlers, frame) && is_in(handlers, scope);
	return is_on_own_stack(frame) && is_on_own_stack(scope);
}

static bool is_there(uintptr_t address, size_t size)
{
	struct unwind_memory memory = {0};
	for (uintptr_t at = address & ~(uintptr_t)7; at < address + size; at += 8) {
		if (!unwind_memory_has(&memory, at))
			return false;
	}
	return true;
}

/* True if the frame looks as it did when the call was entered. */
static bool is_whole(const struct call *call, enum driver_call id)
{
	uintptr_t at = (uintptr_t)call;
	if (!is_there(at, sizeof(*call)) || call->id != id)
		return false;
	uintptr_t distance = (uintptr_t)call->frame - at + MAX_FRAME;
	return distance / 2 < MAX_FRAME; /* at most MAX_FRAME above or below */
}

/*
 * True if the recorded call that this thread is in was left without a return. An entry point asks
 * with its own call, whose frame is set. False if in doubt. Keeps errno.
 */
static bool is_abandoned(const struct call *entered)
{
	enum driver_call id = N_DRIVER_CALLS;
	const struct call *call = thread_scope(&id);
	uintptr_t at = (uintptr_t)call;
	uintptr_t frame = frame_sp(entered->frame);
	if (!call)
		return false;
	bool is_below = at < frame;
	if (is_below && at + sizeof(*call) > (uintptr_t)entered)
		return true; /* Two live calls cannot overlap. */
	if (is_below && are_on_one_stack(frame, at))
		return true;
	return !is_whole(call, id);
}

void call_scope_stop_asking(void)
{
	functions_observed();
	code_addresses_stop_asking();
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
		captures_started();
	if (role == ROLE_LOG)
		call_scope_stop_asking();
}

/* The thread is inside another call. Enter if that call was left without returning. */
static bool enter_again(struct call *call)
{
	if (!is_abandoned(call))
		return false;
	int host_errno = *thread_errno();
	thread_give_up_scope();
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

COLD struct thread *call_scope_begin(struct call *call)
{
	struct thread *thread = enter(call) ? state_of_thread() : NULL;
	if (!thread)
		pass_unseen(call->id);
	return thread;
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
		submission_rejected(call, result);
		if (driver_calls[call->id].role == ROLE_LAUNCH)
			rejection_explain(call, result);
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

CUresult call_scope_leave(struct call *call, CUresult result,
			  void (*after)(struct call *call, CUresult result))
{
	if (!call_scope_goes_on(call))
		return result;
	grace_return(&call->thread->coming);
	int *place = thread_slot.host_errno;
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

CUresult call_scope_failed(enum driver_call id, CUresult result, void *frame)
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
