/*
 * held_waits.c - a context's list of waits. Completed waits are dropped when the list is walked.
 */
#include "run/held_waits.h"

#include <stdlib.h>

#include "run/queue.h"
#include "sim.h"
#include "work/work_run.h"

struct held_wait {
	struct held_wait *next;
	struct work wait;
};

void held_waits_add(CUcontext context, const struct work *wait)
{
	struct held_wait *held = sim_alloc(sizeof(*held));
	*held = (struct held_wait){.next = context->waits, .wait = work_copy(wait)};
	context->waits = held;
}

static void wait_on(CUstream stream, const struct work *wait)
{
	struct work copy = work_copy(wait);
	queue_submit(stream, &copy);
}

static void hold_by(CUcontext context, CUstream stream)
{
	struct held_wait **link = &context->waits;
	while (*link) {
		struct held_wait *held = *link;
		if (!work_is_ready(&held->wait)) {
			wait_on(stream, &held->wait);
			link = &held->next;
			continue;
		}
		*link = held->next;
		work_release(&held->wait);
		free(held);
	}
}

void held_waits_begin(CUstream stream)
{
	hold_by(stream->context, stream);
	if (stream->context->primary)
		hold_by(stream->context->primary, stream);
}
