/*
 * coredump_context.c - identify contexts by handle. The driver reuses the handle of a destroyed
 * context, so the time of destruction counts.
 */
#include "attribution/coredump_parts.h"

/* True if it existed at the moment: it exists still, or was destroyed later. */
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
 * A destroyed stream keeps its row until another stream takes it, with ordinals above `before`. The
 * row of a green context's stream goes only to streams of the same primary context, while that
 * exists.
 */
bool coredump_is_in_context(const struct bundle_view *view, const struct moment *moment,
			    const struct journal_record *record, uint64_t handle)
{
	const struct stream_row *stream = view_stream(view, record->stream);
	const struct context_row *context = stream ? view_context(view, stream->context) : NULL;
	/*
	 * Work without an ordinal may be of an earlier stream of the row. It only ranks: such work
	 * makes the verdict neither EXACT nor LIKELY.
	 */
	return context && coredump_is_context(view, moment, context, handle) &&
	       (record->ordinal == 0 || record->ordinal > view_live(&stream->before));
}
