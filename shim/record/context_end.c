/*
 * context_end.c - the order in which a context's graphs, markers and streams are released.
 */
#include "record/context_end.h"

#include "record/fault/fault.h"
#include "record/graphs/graphs.h"
#include "record/host/grace_period.h"
#include "record/streams/contexts.h"
#include "record/streams/marker_readings.h"
#include "record/streams/streams.h"

/* Find a green context of the primary one that is not marked as ending yet. */
struct green_search {
	const struct context *primary;
	struct context *found;
};

static void match_green(struct context *context, void *data)
{
	struct green_search *search = data;
	if (context->primary == search->primary && !contexts_is_ending(context))
		search->found = context;
}

static struct context *find_green(const struct context *primary)
{
	struct green_search search = {.primary = primary};
	contexts_for_each(match_green, &search);
	return search.found;
}

/* A thread that was coming holds its stream's lock until the driver returns. */
static void begin_to_end(struct context *context, uint32_t tid)
{
	contexts_ending(context);
	grace_wait();
	streams_ending(context, tid);
}

uint32_t context_ending(CUcontext handle, uint32_t tid)
{
	struct context *context = contexts_known(handle);
	if (!context) {
		grace_wait();
		return 0;
	}
	/* Sequentially consistent in contexts_ending(): of two threads that end the last two green
	   contexts, one at least finds no other. */
	begin_to_end(context, tid);
	const struct context *primary = __atomic_load_n(&context->primary, __ATOMIC_RELAXED);
	if (primary)
		return find_green(primary) ? context->id : primary->id;
	struct context *green = NULL;
	while ((green = find_green(context)))
		begin_to_end(green, tid);
	return context->id;
}

static void go_on(struct context *context, void *ended)
{
	if (context == ended || context->primary == ended)
		contexts_go_on(context);
}

void context_not_ended(CUcontext handle)
{
	struct context *context = contexts_known(handle);
	if (context)
		contexts_for_each(go_on, context);
}

static void note_end(const struct context *context)
{
	graphs_context_destroyed(context);
	contexts_note_end(context);
}

/*
 * A context with work that is not known to be finished stays: its work may be asked about. Markers
 * are read first, because dropped streams have none.
 */
static void end(struct context *context, uint32_t tid)
{
	note_end(context);
	if (context->primary)
		__atomic_store_n(&context->primary, NULL, __ATOMIC_RELAXED);
	marker_readings_copy(context);
	progress_channels_forget(&context->progress);
	if (streams_context_destroyed(context, tid))
		contexts_lay_down(context);
}

/* Its markers' memory stays in the primary context, and its work may still run: retire streams. */
static void end_green(struct context *context)
{
	note_end(context);
	streams_retire_all(context);
	contexts_lay_down(context);
}

static void end_greens_of(const struct context *primary, uint32_t tid)
{
	struct context *green = NULL;
	while ((green = contexts_take_green(primary)))
		end(green, tid);
}

static void note_living(struct context *context, void *data)
{
	bool *is_one_left = data;
	(void)context;
	*is_one_left = true;
}

/* The driver's own files may end with its last context. */
static void end_faults_after_last(void)
{
	bool is_one_left = false;
	contexts_for_each(note_living, &is_one_left);
	if (!is_one_left)
		fault_contexts_end();
}

uint32_t context_end(CUcontext handle, uint32_t tid)
{
	struct context *context = contexts_take(handle);
	if (!context)
		return 0;
	if (context->primary) {
		end_green(context);
		return 0;
	}
	uint32_t id = context->id;
	end_greens_of(context, tid);
	end(context, tid);
	end_faults_after_last();
	return id;
}
