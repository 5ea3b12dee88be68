/*
 * coredump_context.c - tells contexts by their handles, which are given out again when a context
 * has gone: so it asks when that was.
 */
#include "verdict/attribution/coredump_context.h"

/* Did it live then? What the application destroys afterwards stood then. */
static bool was_alive(const struct moment *moment, const uint64_t *live_destroyed_ns)
{
	uint64_t destroyed_ns = view_live(live_destroyed_ns);

	return destroyed_ns == 0 || destroyed_ns > moment->time_ns;
}

bool coredump_is_context(const struct bundle_view *view, const struct moment *moment,
			 const struct context_row *context, uint64_t handle)
{
	if (context->primary != 0)
		context = view_context(view, context->primary);
	return context && context->handle == handle && was_alive(moment, &context->destroyed_ns);
}

/*
 * The row of a stream that has gone is its own until another one takes it, from `before` on; that
 * of a green context is taken by others of its primary one alone, while that lives.
 */
bool coredump_is_in_context(const struct bundle_view *view, const struct moment *moment,
			    const struct journal_record *record, uint64_t handle)
{
	const struct stream_row *stream = view_stream(view, record->stream);
	const struct context_row *context = stream ? view_context(view, stream->context) : NULL;

	return context && coredump_is_context(view, moment, context, handle) &&
	       record->ordinal > view_live(&stream->before);
}
