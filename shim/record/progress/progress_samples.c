/*
 * progress_samples.c - check a counter while inline markers bound its value.
 */
#include "record/progress/progress_samples.h"

#include <stddef.h>

#include "record/host/arena.h"

bool progress_samples_go_on(const struct progress_tracker *tracker)
{
	const struct progress_channel *channel = tracker->newest.channel;
	return channel && tracker->samples && tracker->samples->n_tries < MAX_SAMPLES &&
	       !progress_refused() &&
	       (__atomic_load_n(&channel->row->trust, __ATOMIC_RELAXED) == CHANNEL_UNCHECKED ||
		!__atomic_load_n(&progress_layout.has_state, __ATOMIC_RELAXED));
}

void progress_samples_note(struct progress_tracker *tracker)
{
	if (!tracker->samples)
		tracker->samples = arena_alloc_aside(sizeof(*tracker->samples));
	if (tracker->samples && tracker->newest.ordinal)
		tracker->samples->ring[tracker->samples->n++ % SAMPLE_RING] = tracker->newest;
}

/* Return the submission with this ordinal; NULL: it is not remembered. */
static const struct progress_newest *find(const struct progress_tracker *tracker, uint64_t ordinal)
{
	if (tracker->newest.ordinal == ordinal)
		return &tracker->newest;
	for (int i = 0; tracker->samples && i < SAMPLE_RING; i++) {
		if (tracker->samples->ring[i].ordinal == ordinal)
			return &tracker->samples->ring[i];
	}
	return NULL;
}

/*
 * Find the highest payload that may have started while `ordinal` was the newest finished: that of
 * the marker after the next submission, or after this one if there is no next.
 */
static bool highest_started(const struct progress_tracker *tracker, uint64_t ordinal,
			    const struct progress_channel *channel, uint32_t *out_payload)
{
	bool is_last = tracker->newest.ordinal == ordinal;
	const struct progress_newest *next = find(tracker, is_last ? ordinal : ordinal + 1);
	if (!next || next->channel != channel)
		return false;
	*out_payload = next->payload + 1;
	return true;
}

/* Make a trial with one reading of the counter. While reading. */
static void judge(struct progress_tracker *tracker, const struct progress_newest *finished,
		  uint32_t shown, uint64_t landed)
{
	uint32_t highest = 0;
	if (!highest_started(tracker, landed, finished->channel, &highest))
		return;
	uint32_t span = highest - finished->payload;
	/* A higher counter may show other streams' work on the channel. */
	if (shown - finished->payload > (span < SAMPLE_SPAN ? span : SAMPLE_SPAN))
		return;
	progress_channels_count(tracker->channels, finished->channel, shown);
	if (finished->kernel.object && landed - finished->ordinal < STREAM_STATES - 1)
		progress_states_check(&tracker->channels->counter_map.pages, &finished->kernel,
				      finished->state);
}

static void try_word(struct progress_tracker *tracker, const struct progress_newest *finished,
		     uint64_t (*landed)(const void *stream), const void *stream)
{
	if (!progress_counter_reaches(finished->channel->word, finished->payload)) {
		progress_channels_check(tracker->channels, finished->channel, finished->payload);
		return;
	}
	uint32_t shown = finished->channel->word->payload;
	judge(tracker, finished, shown, landed(stream));
}

void progress_samples_take(struct progress_tracker *tracker, uint64_t (*landed)(const void *stream),
			   const void *stream)
{
	tracker->samples->n_tries++;
	const struct progress_newest *found = find(tracker, landed(stream));
	if (!found || !found->channel || !progress_channels_begin_reading(tracker->channels))
		return;
	struct progress_newest finished = *found;
	try_word(tracker, &finished, landed, stream);
	progress_channels_end_reading(tracker->channels);
}
