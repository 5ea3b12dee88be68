/*
 * late_times.c - compare the times at which channels went on with those of submissions.
 */
#include "attribution/clue_parts.h"

/* A bundle may say anything. */
static bool is_time(uint64_t ns)
{
	return ns != 0 && ns < (uint64_t)CLOCK_END_NS;
}

/* One comparison of the clocks, as a row has it. */
struct comparison {
	int64_t apart_ns;
	uint64_t time_ns;
};

/* Return false if the row has no comparison, or the recorder is writing one. */
static bool read_comparison(const struct channel_row *row, struct comparison *out)
{
	out->time_ns = __atomic_load_n(&row->compared_ns, __ATOMIC_ACQUIRE);
	out->apart_ns = __atomic_load_n(&row->apart_ns, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return is_time(out->time_ns) && out->apart_ns > -CLOCK_END_NS &&
	       out->apart_ns < CLOCK_END_NS &&
	       __atomic_load_n(&row->compared_ns, __ATOMIC_RELAXED) == out->time_ns;
}

/* Return the latest that this time of the GPU can be by CLOCK_MONOTONIC. */
static int64_t latest_by(const struct comparison *comparison, uint64_t gpu_ns)
{
	int64_t time_ns = (int64_t)gpu_ns + comparison->apart_ns;
	int64_t passed_ns = time_ns - (int64_t)comparison->time_ns;
	return time_ns + (passed_ns < 0 ? -passed_ns : passed_ns) / CLOCK_DRIFT;
}

/* The same, as all the context's channels have it. CLOCK_END_NS: none has. */
static int64_t latest_of(const struct progress *progress, uint32_t context, uint64_t gpu_ns)
{
	const struct bundle_view *view = progress->view;
	uint64_t n_rows = view->tables[JOURNAL_CHANNELS].n_rows;
	int64_t latest_ns = CLOCK_END_NS;
	struct comparison comparison;
	for (uint32_t place = 1; place <= n_rows && place != 0; place++) {
		const struct channel_row *row = trusted_channels_row(
			view, &progress->trust, view_id_at(view, JOURNAL_CHANNELS, place));
		if (!row || row->context != context || !read_comparison(row, &comparison))
			continue;
		int64_t time_ns = latest_by(&comparison, gpu_ns);
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
	if (!row || !is_time(row->started_gpu_ns) || !is_time(work->time_ns))
		return false;
	int64_t latest_ns = latest_of(progress, row->context, row->started_gpu_ns);
	return latest_ns - (int64_t)row->started_gpu_ns >= time_least_apart(progress) &&
	       latest_ns >= (int64_t)work->time_ns &&
	       latest_ns - (int64_t)work->time_ns < margin_ns;
}
