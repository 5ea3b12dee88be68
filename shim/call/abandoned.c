/*
 * abandoned.c - distinguish a call that was left from one that is still in progress below us. A
 * signal handler, or the driver itself, makes calls as well.
 *
 * On one stack, a frame below the frame that is entered now no longer exists. A frame above it may
 * be in progress. If the program jumped out of it and came down again, something else is in its
 * place. A frame on another stack, a coroutine's or a handler's, may be in progress wherever it is,
 * and its memory may be unmapped.
 */
#include "call/call_parts.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>

#include "arch/frame.h"
#include "call/call_state.h"
#include "record/stacks/unwind_memory.h"
#include "record/thread.h"

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

static bool are_on_one_stack(uintptr_t frame, uintptr_t visit)
{
	struct span handlers = handlers_stack();
	if (is_in(handlers, frame) || is_in(handlers, visit))
		return is_in(handlers, frame) && is_in(handlers, visit);
	return is_on_own_stack(frame) && is_on_own_stack(visit);
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

bool abandoned_is_visit(const struct call *entered)
{
	enum driver_call id = N_DRIVER_CALLS;
	const struct call *call = thread_visit(&id);
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
