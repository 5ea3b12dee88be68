/*
 * checkpoint.c - two flags, and the stop of all reading of progress counters.
 */
#include "record/checkpoint.h"

#include <stddef.h>

#include "record/fault/fault.h"
#include "record/host/clock.h"
#include "record/progress/progress_channels.h"
#include "record/streams/contexts.h"

static uint64_t locked_ns; /* atomic */
static bool was_made;      /* atomic */

void checkpoint_locked(bool is_locked)
{
	__atomic_store_n(&locked_ns, is_locked ? clock_kernel_ns() : 0, __ATOMIC_RELAXED);
}

uint64_t checkpoint_locked_ns(void)
{
	return __atomic_load_n(&locked_ns, __ATOMIC_RELAXED);
}

static void stop_reading(struct context *context, void *unused)
{
	(void)unused;
	progress_channels_ending(&context->progress);
}

static void go_on_reading(struct context *context, void *unused)
{
	(void)unused;
	progress_channels_go_on(&context->progress);
}

void checkpoint_begins(void)
{
	contexts_for_each(stop_reading, NULL);
	fault_pause();
}

/* These contexts are never read again; the refusal keeps new contexts from being searched. */
void checkpoint_finished(bool is_made)
{
	fault_resume();
	if (!is_made) {
		contexts_for_each(go_on_reading, NULL);
		fault_contexts_begin();
		return;
	}
	progress_refuse("the process was checkpointed");
	__atomic_store_n(&was_made, true, __ATOMIC_RELAXED);
}

bool checkpoint_was_made(void)
{
	return __atomic_load_n(&was_made, __ATOMIC_RELAXED);
}
