/*
 * waits.c - write the thread's row of "waits".
 */
#include "call/call_parts.h"

#include <stdbool.h>

#include "record/host/clock.h"
#include "record/stacks/stack.h"
#include "record/streams/stream_rows.h"
#include "record/thread.h"

/*
 * Stream-ordered calls return at once. Other allocations, frees and loads wait for running work, as
 * does a call that ends a context.
 */
static bool may_wait(const struct call *call)
{
	switch (driver_calls[call->id].role) {
	case ROLE_SYNC:
	case ROLE_MODULE:
		return true;
	case ROLE_ALLOC:
	case ROLE_FREE:
		return driver_calls[call->id].stream_offset == NO_STREAM_ARGUMENT;
	case ROLE_CONTEXT:
		return call->context;
	default:
		return false;
	}
}

static void set_since(struct wait_row *row, uint64_t since_ns)
{
	/* Release: a reader that sees the time sees everything stored before it. */
	__atomic_store_n(&row->since_ns, since_ns, __ATOMIC_RELEASE);
}

void waits_begin(struct call *call)
{
	struct wait_row *row = call->thread->wait;
	if (!row || !may_wait(call))
		return;
	int *place = thread_errno();
	int host_errno = *place;
	uint32_t stream = call->point.row ? streams_id(call->point.row) : 0;
	uint32_t stack = stack_capture(&call->thread->stacks, call->frame);
	set_since(row, 0);
	/* The stores are atomic, because a snapshot may be copying the bundle. */
	__atomic_store_n(&row->tid, call->thread->tid, __ATOMIC_RELAXED);
	__atomic_store_n(&row->call, call_name_id(call->id), __ATOMIC_RELAXED);
	__atomic_store_n(&row->stack, stack, __ATOMIC_RELAXED);
	__atomic_store_n(&row->stream, stream, __ATOMIC_RELAXED);
	__atomic_store_n(&row->ordinal, call->point.ordinal, __ATOMIC_RELAXED);
	set_since(row, clock_ns());
	*place = host_errno;
}

void waits_end(const struct call *call)
{
	struct wait_row *row = call->thread->wait;
	if (row && row->since_ns)
		set_since(row, 0);
}
