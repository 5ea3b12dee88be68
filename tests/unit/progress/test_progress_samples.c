/*
 * test_progress_samples.c - which counter values of a channel count as a trial between two looks at
 * a stream's inline marker, and which numbers prove nothing. The layers below the trials are
 * simulated here.
 */
#include "record/progress/progress_samples.h"

#include <stdlib.h>

#include "record/host/arena.h"
#include "support/check.h"

struct progress_layout progress_layout;
const char *progress_refusal;

static uint32_t n_counted, n_checked;
static uint64_t shown_by_marker;

void *arena_alloc_aside(size_t size)
{
	return calloc(1, size);
}

bool progress_channels_begin_reading(struct progress_channels *channels)
{
	return channels != NULL;
}

void progress_channels_end_reading(struct progress_channels *channels)
{
	CHECK(channels);
}

void progress_channels_count(struct progress_channels *channels, struct progress_channel *channel,
			     uint32_t payload)
{
	CHECK(channels);
	CHECK_EQUAL(payload, channel->word->payload);
	n_counted++;
}

void progress_channels_check(struct progress_channels *channels, struct progress_channel *channel,
			     uint32_t payload)
{
	CHECK(channels && channel->word->payload < payload);
	n_checked++;
}

void progress_states_check(const struct mapping *pages, const struct progress_pair *kernel,
			   uint32_t id)
{
	(void)pages;
	(void)kernel;
	(void)id;
}

bool progress_counter_reaches(const volatile struct progress_counter *word, uint32_t payload)
{
	return word->payload >= payload;
}

static uint64_t landed(const void *stream)
{
	(void)stream;
	return shown_by_marker;
}

/* Two submissions with a marker each. The first one's marker has landed. */
struct example {
	uint32_t first, second; /* their payloads */
	uint32_t word;
	uint32_t n_counted, n_checked;
};

static const struct example examples[] = {
	/*
	 * Alone on the channel: the first has finished, and only the next and its marker may have
	 * started.
	 */
	{10, 12, 9, 0, 1},
	{10, 12, 10, 1, 0},
	{10, 12, 13, 1, 0},
	{10, 12, 14, 0, 0},
	/* Other streams' work is in between: six payloads after the finished one are tried. */
	{10, 30, 9, 0, 1},
	{10, 30, 10, 1, 0},
	{10, 30, 16, 1, 0},
	{10, 30, 17, 0, 0},
	{10, 30, 31, 0, 0},
};

static void try_example(const struct example *example, bool has_moved)
{
	struct channel_row row = {0};
	struct progress_counter word = {.payload = example->word};
	struct progress_channel channel = {.word = &word, .row = &row};
	struct progress_channel other = channel;
	static struct progress_channels channels;
	struct progress_tracker tracker = {.channels = &channels};
	n_counted = n_checked = 0;
	shown_by_marker = 1;
	tracker.newest = (struct progress_newest){
		.ordinal = 1, .payload = example->first, .channel = &channel};
	progress_samples_note(&tracker);
	tracker.newest.ordinal = 2;
	tracker.newest.payload = example->second;
	tracker.newest.channel = has_moved ? &other : &channel;
	progress_samples_note(&tracker);
	CHECK(progress_samples_go_on(&tracker));
	progress_samples_take(&tracker, landed, NULL);
	free(tracker.samples);
}

/* Trials go on until the channel and the layout of states are both decided. */
static void try_decided(void)
{
	struct channel_row row = {.trust = CHANNEL_UNCHECKED};
	struct progress_channel channel = {.row = &row};
	struct progress_tracker tracker = {.newest = {.ordinal = 1, .channel = &channel}};
	progress_samples_note(&tracker);
	CHECK(progress_samples_go_on(&tracker));
	row.trust = CHANNEL_TRUSTED;
	CHECK(progress_samples_go_on(&tracker));
	progress_layout.has_state = true;
	CHECK(!progress_samples_go_on(&tracker));
	row.trust = CHANNEL_UNCHECKED;
	CHECK(progress_samples_go_on(&tracker));
	progress_layout.has_state = false;
	free(tracker.samples);
}

int main(void)
{
	try_decided();
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		try_example(&examples[i], false);
		CHECK_EQUAL(n_counted, examples[i].n_counted);
		CHECK_EQUAL(n_checked, examples[i].n_checked);
		/* The next submission is on another channel, so nothing bounds this one. */
		try_example(&examples[i], true);
		CHECK_EQUAL(n_counted, 0);
	}
	return 0;
}
