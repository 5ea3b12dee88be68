/*
 * late_times.c - compare the times at which channels went on with those of submissions.
 */
#include "attribution/clue_parts.h"

/* Return the latest that this time of the GPU can be by CLOCK_MONOTONIC, as the row has it. */
static int64_t latest_by(const struct channel_row *row, uint64_t gpu_ns, uint64_t compared_ns)
{
	int64_t apart_ns = __atomic_load_n(&row->apart_ns, __ATOMIC_RELAXED);
	int64_t time_ns = (int64_t)gpu_ns + apart_ns;
	int64_t passed_ns = time_ns - (int64_t)compared_ns;
	return time_ns + (passed_ns < 0 ? -passed_ns : passed_ns) / CLOCK_DRIFT;
}

/* The same, as all the context's channels have it. INT64_MAX: none has. */
static int64_t latest_of(const struct progress *progress, uint32_t context, uint64_t gpu_ns)
{
	const struct bundle_view *view = progress->view;
	uint64_t n_rows = view->tables[JOURNAL_CHANNELS].n_rows;
	int64_t latest_ns = INT64_MAX;
	for (uint32_t place = 1; place <= n_rows && place != 0; place++) {
		const struct channel_row *row = trusted_channels_row(
			view, &progress->trust, view_id_at(view, JOURNAL_CHANNELS, place));
		uint64_t compared_ns =
			row ? __atomic_load_n(&row->compared_ns, __ATOMIC_ACQUIRE) : 0;
		if (compared_ns == 0 || row->context != context)
			continue;
		int64_t time_ns = latest_by(row, gpu_ns, compared_ns);
		latest_ns = time_ns < latest_ns ? time_ns : latest_ns;
	}
	return latest_ns;
}

bool late_has_marker_started(const struct progress *progress, const struct journal_record *work)
{
	const struct channel_row *row =
		trusted_channels_row(progress->view, &progress->trust, work->progress.channel);
	return work->work == WORK_KERNEL && work->flags & RECORD_MARKED_INLINE &&
	       work->ordinal <= progress->streams[work->stream].marked && row &&
	       (int32_t)(row->started - work->progress.payload) > 0;
}

bool late_has_finished_soon(const struct progress *progress, const struct journal_record *work,
			    uint32_t channel, int64_t margin_ns)
{
	const struct channel_row *row =
		trusted_channels_row(progress->view, &progress->trust, channel);
	if (!row)
		return false;
	int64_t latest_ns = latest_of(progress, row->context, row->started_gpu_ns);
	return latest_ns - (int64_t)row->started_gpu_ns >= time_least_apart(progress) &&
	       latest_ns >= (int64_t)work->time_ns &&
	       latest_ns - (int64_t)work->time_ns < margin_ns;
}
