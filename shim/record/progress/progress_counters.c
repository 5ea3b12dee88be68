/*
 * progress_counters.c - candidates for a channel's counter, and submissions that separate them.
 */
#include "record/progress/progress_counters.h"

#include <stdbool.h>

enum { MAX_MAPPINGS = 64, MIN_ROUNDS = 3 };

/*
 * Counters were in the first 64 KiB of a mapping of 2 MiB (H200, driver 580.159). The search starts
 * there, which takes a tenth of a millisecond instead of ten.
 */
enum { SMALLEST_POOL = 64 * 1024, LARGEST_POOL = 8 * 1024 * 1024, FIRST_PART = 64 * 1024 };

static const char no_word[] = "no word follows the counter";

/* One search at a time. Static, because it is too big for a host thread's stack. */
static struct {
	struct own_memory *memory;
	struct found_channels *found;
	struct mapping mappings[MAX_MAPPINGS];
	int n_mappings;
	_Alignas(struct progress_counter) uint8_t page[OWN_MEMORY_MAX];
} search;

/* Another context's pages may be unmapped meanwhile. No submission has the payload 0. */
uint32_t progress_counters_payload(struct own_memory *memory, uintptr_t address)
{
	struct progress_counter word;
	return own_memory_read(memory, address, &word, sizeof(word)) ? word.payload : 0;
}

/* Collect the words of a page that show the channel's newest payload. */
static void collect_counters_of(uintptr_t page, struct found_channel *channel)
{
	const struct progress_counter *words = (const struct progress_counter *)search.page;
	if (!own_memory_read(search.memory, page, search.page, sizeof(search.page)))
		return;
	for (size_t at = 0; at < sizeof(search.page) / WORD_STEP; at++) {
		if (words[at].payload == channel->payload && words[at].zero == 0 &&
		    channel->n_words < MAX_WORDS)
			channel->words[channel->n_words++] = page + at * WORD_STEP;
	}
}

/* Search the first bytes of every mapping. */
static void collect_counters(struct found_channel *channel, size_t size)
{
	channel->n_words = channel->n_rounds = 0;
	for (int i = 0; i < search.n_mappings; i++) {
		const struct mapping *mapping = &search.mappings[i];
		for (uintptr_t page = mapping->start;
		     page < mapping->end && page < mapping->start + size; page += OWN_MEMORY_MAX)
			collect_counters_of(page, channel);
	}
}

static void narrow_counters(struct found_channel *channel)
{
	int kept = 0;
	for (int i = 0; i < channel->n_words; i++) {
		if (progress_counters_payload(search.memory, channel->words[i]) == channel->payload)
			channel->words[kept++] = channel->words[i];
	}
	channel->n_words = kept;
	channel->n_rounds++;
}

/* Return NULL for a third channel, which is not searched for. */
static struct found_channel *channel_of(uint64_t object)
{
	for (int i = 0; i < search.found->n; i++) {
		if (search.found->of[i].object == object)
			return &search.found->of[i];
	}
	if (search.found->n == N_PROBE_STREAMS)
		return NULL;
	struct found_channel *channel = &search.found->of[search.found->n++];
	*channel = (struct found_channel){.object = object};
	return channel;
}

/*
 * The newest submission of the probe streams has finished. Look for its channel's counter at first
 * sight, or after too many candidates; otherwise narrow the candidates down.
 */
static void discover_channel(const struct progress_pair *newest, size_t size)
{
	struct found_channel *channel = channel_of(newest->object);
	if (!channel)
		return;
	bool is_first = channel->payload == 0 || channel->n_words == MAX_WORDS;
	channel->payload = (uint32_t)newest->value;
	if (is_first)
		collect_counters(channel, size);
	else
		narrow_counters(channel);
}

static const char *count_counters(void)
{
	for (int i = 0; i < search.found->n; i++) {
		const struct found_channel *channel = &search.found->of[i];
		if (channel->n_words == 0)
			return no_word;
		if (channel->n_words > 1)
			return "more than one word follows the counter";
		if (channel->n_rounds < MIN_ROUNDS)
			return "our own work went to one channel too rarely";
	}
	return NULL;
}

/*
 * A channel is certain after some rounds. If channels are few, a stream uses one after the other,
 * so each submission counts for the channel that it went to. Two channels that were never used
 * before would count in step, so the streams get different numbers of submissions.
 */
static const char *narrow_all(struct probe_streams *probe, const struct progress_layout *layout,
			      size_t size)
{
	enum { MOST_ROUNDS = 24 };
	search.found->n = 0;
	for (int round = 0; round < MOST_ROUNDS; round++) {
		int stream = round % N_PROBE_STREAMS;
		struct progress_pair newest;
		uint64_t tracker = 0;
		if (!probe_streams_submit(probe, stream, 1 + stream) ||
		    !probe_streams_drain(probe, stream) ||
		    !probe_streams_newest(probe, layout, search.memory, stream, &tracker, &newest))
			return "the GPU does not come to our own work";
		discover_channel(&newest, size);
	}
	return count_counters();
}

const char *progress_counters_find(struct probe_streams *probe,
				   const struct progress_layout *layout, struct own_memory *memory,
				   struct found_channels *out_found, struct mapping *out_pages)
{
	search.memory = memory;
	search.found = out_found;
	search.n_mappings =
		mappings_of_device(SMALLEST_POOL, LARGEST_POOL, search.mappings, MAX_MAPPINGS);
	const char *trouble = narrow_all(probe, layout, FIRST_PART);
	if (trouble == no_word)
		trouble = narrow_all(probe, layout, LARGEST_POOL);
	for (int i = 0; i < search.n_mappings && !trouble; i++) {
		const struct mapping *mapping = &search.mappings[i];
		uintptr_t word = search.found->of[0].words[0];
		if (word >= mapping->start && word < mapping->end)
			*out_pages = *mapping;
	}
	return trouble;
}
