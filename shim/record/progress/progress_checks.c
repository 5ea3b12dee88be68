/*
 * progress_checks.c - check the notes about a stream, which may change meanwhile, with counters.
 */
#include "record/progress/progress_tracker.h"

/* Copy word by word, because it may be written meanwhile. */
static void copy(const struct progress_newest *from, struct progress_newest *out)
{
	out->payload = __atomic_load_n(&from->payload, __ATOMIC_RELAXED);
	out->state = __atomic_load_n(&from->state, __ATOMIC_RELAXED);
	out->kernel.object = __atomic_load_n(&from->kernel.object, __ATOMIC_RELAXED);
	out->kernel.value = __atomic_load_n(&from->kernel.value, __ATOMIC_RELAXED);
	out->channel = __atomic_load_n(&from->channel, __ATOMIC_RELAXED);
}

/* Make a consistent copy. False: a submission is being noted at this moment. */
static bool read_newest(const struct progress_tracker *tracker, uint64_t ordinal,
			struct progress_newest *out, struct progress_newest *out_kernel)
{
	const struct progress_newest *newest = &tracker->newest;
	if (__atomic_load_n(&newest->ordinal, __ATOMIC_ACQUIRE) != ordinal)
		return false;
	copy(newest, out);
	copy(&tracker->newest_kernel, out_kernel);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(&newest->ordinal, __ATOMIC_RELAXED) == ordinal;
}

/* Check one note. While reading. */
static void check(struct progress_channels *channels, const struct progress_newest *finished)
{
	if (!finished->channel)
		return;
	progress_channels_check(channels, finished->channel, finished->payload);
	if (finished->kernel.object)
		progress_states_check(&channels->counter_map.pages, &finished->kernel,
				      finished->state);
}

void progress_tracker_check(struct progress_tracker *tracker, uint64_t ordinal)
{
	struct progress_channels *channels = __atomic_load_n(&tracker->channels, __ATOMIC_RELAXED);
	struct progress_newest newest;
	struct progress_newest kernel;
	if (ordinal == 0 || !channels || !read_newest(tracker, ordinal, &newest, &kernel) ||
	    progress_refused() || !progress_channels_begin_reading(channels))
		return;
	check(channels, &newest);
	if (!newest.kernel.object)
		check(channels, &kernel);
	progress_channels_end_reading(channels);
}
