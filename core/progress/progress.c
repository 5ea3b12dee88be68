/*
 * progress.c - questions about how far streams came. progress_read.c reads the journal, and
 * order_limits.c finds what the order of work proves.
 */
#include "progress/progress.h"

#include <string.h>

#include "base/failure_class.h"

struct stream_progress *progress_stream(const struct progress *progress, uint32_t id)
{
	return id != 0 && id <= progress->n_streams ? &progress->streams[id] : NULL;
}

bool progress_is_open(const struct progress *progress, const struct open_work *open)
{
	return open->said != COUNTERS_FINISHED && open->sequence <= progress->moment.sequence &&
	       open->ordinal > progress->streams[open->stream].done;
}

bool progress_is_able(const struct progress *progress, const struct open_work *open)
{
	return !open->is_ruled_out && !open->is_harmless && !open->is_in_bounds &&
	       !open->is_elsewhere && open->sequence <= progress->moment.sequence &&
	       failure_may_come_from(progress->moment.code, open->work);
}

bool progress_has_error(const struct journal_record *record)
{
	return record->result != 0 && record->result != RESULT_PENDING;
}

/*
 * True if this call may return only when its work is over. Any copy may, since one from pageable
 * memory waits even if it is called asynchronous. A memset does unless its name says otherwise. So
 * do any call under CUDA_LAUNCH_BLOCKING, and any that the recorder marked as waiting.
 */
static bool is_waiting_call(const struct bundle_view *view, const struct moment *moment,
			    const struct journal_record *record)
{
	if (record->work == WORK_COPY || (moment->flags & FAILURE_LAUNCH_BLOCKING))
		return true;
	if (record->work == WORK_MEMSET)
		return !strstr(view_string(view, record->call, NULL), "Async");
	return record->flags & RECORD_SYNCHRONOUS;
}

bool progress_may_be_queued(const struct bundle_view *view, const struct moment *moment,
			    const struct journal_record *record)
{
	if (!progress_has_error(record))
		return true;
	return record->result == moment->code && record->sequence <= moment->sequence &&
	       is_waiting_call(view, moment, record);
}

bool progress_find_record(const struct progress *progress, const struct open_work *open,
			  struct journal_record *out)
{
	return view_record(progress->view, open->slot, open->position, out) &&
	       out->kind == RECORD_SUBMISSION && out->sequence == open->sequence;
}

void progress_record(const struct progress *progress, const struct open_work *open,
		     struct journal_record *out)
{
	if (progress_find_record(progress, open, out))
		return;
	*out = (struct journal_record){.sequence = open->sequence,
				       .ordinal = open->ordinal,
				       .stream = open->stream,
				       .kind = RECORD_SUBMISSION,
				       .work = open->work,
				       .flags = open->flags};
}

uint64_t progress_last_startable(const struct stream_progress *stream, enum order_level level)
{
	const struct stream_limit *limit = &stream->limits[level];
	uint64_t last = limit->overlap_end < limit->blocked_above ? limit->overlap_end
								  : limit->blocked_above;
	return last < limit->unstarted_above ? last : limit->unstarted_above;
}

bool progress_is_blocked(const struct progress *progress, const struct open_work *open,
			 enum order_level level)
{
	const struct stream_progress *stream = &progress->streams[open->stream];
	return open->ordinal > progress_last_startable(stream, level);
}

bool progress_is_lagging(const struct progress *progress, const struct open_work *open)
{
	return !(open->flags & RECORD_UNORDERED) &&
	       progress_is_blocked(progress, open, LEVEL_LIKELY);
}

bool progress_is_suspect(const struct progress *progress, const struct open_work *open)
{
	return progress_is_open(progress, open) && progress_is_able(progress, open) &&
	       !progress_is_blocked(progress, open, LEVEL_STRICT);
}

const struct open_work *progress_only_suspect(const struct progress *progress)
{
	const struct open_work *only = NULL;
	if (progress->n_late > 0)
		return NULL;
	for (uint32_t i = 0; i < progress->n_open; i++) {
		if (!progress_is_suspect(progress, &progress->open[i]))
			continue;
		if (only)
			return NULL;
		only = &progress->open[i];
	}
	return only;
}
