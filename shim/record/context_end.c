/*
 * context_end.c - in which order a context's graphs, markers and streams are let go.
 */
#include "record/context_end.h"

#include "record/graphs/graphs.h"
#include "record/streams/contexts.h"
#include "record/streams/marker_readings.h"
#include "record/streams/streams.h"

static void note_end(const struct context *context)
{
	graphs_context_destroyed(context);
	contexts_note_end(context);
}

/*
 * With work that nobody has seen finished it stays as it is: it may be asked about. What the
 * markers show is read first, since streams that are dropped have none.
 */
static void end(struct context *context)
{
	note_end(context);
	context->primary = NULL;
	marker_readings_copy(context);
	progress_channels_ended(&context->progress, true);
	if (streams_context_destroyed(context))
		contexts_lay_down(context);
}

/* What its markers need lives on in the primary context, and its work may: streams are retired. */
static void end_green(struct context *context)
{
	note_end(context);
	streams_retire_all(context);
	contexts_lay_down(context);
}

static void end_greens_of(const struct context *primary)
{
	struct context *green;
	while ((green = contexts_take_green(primary)))
		end(green);
}

uint32_t context_end(CUcontext handle)
{
	struct context *context = contexts_take(handle);
	if (!context)
		return 0;
	if (context->primary) {
		end_green(context);
		return 0;
	}
	uint32_t id = context->id;
	end_greens_of(context);
	end(context);
	return id;
}
