/*
 * progress_words.c - candidates for a channel's word, and the submissions that tell them apart.
 */
#include "record/progress/progress_words.h"

#include <stdbool.h>

enum { MAX_MAPPINGS = 64, MIN_ROUNDS = 3 };

/*
 * The words lay in the first 64 KiB of a mapping of 2 MiB (H200, driver 580.159): there they are
 * sought first, which takes a tenth of a millisecond, not ten.
 */
static const size_t SMALLEST_POOL = 64ul * 1024, LARGEST_POOL = 8ul * 1024 * 1024,
		    FIRST_PART = 64ul * 1024;

/* One search at a time: too big for a host thread's stack. */
static struct {
	struct own_memory *memory;
	struct found_channels *found;
	struct mapping mappings[MAX_MAPPINGS];
	int n_mappings;
	_Alignas(struct progress_word) uint8_t page[OWN_MEMORY_MAX];
} search;

/* Another context's pages may go meanwhile: 0 is no payload of anything that was submitted. */
uint32_t progress_words_payload(struct own_memory *memory, uintptr_t address)
{
	struct progress_word word;
	return own_memory_read(memory, address, &word, sizeof(word)) ? word.payload : 0;
}

/* The words of a page that show the payload that a channel was given last. */
static void collect_words_of(uintptr_t page, struct found_channel *channel)
{
	const struct progress_word *words = (const struct progress_word *)search.page;
	if (!own_memory_read(search.memory, page, search.page, sizeof(search.page)))
		return;
	for (size_t at = 0; at < sizeof(search.page) / WORD_STEP; at++) {
		if (words[at].payload == channel->payload && words[at].zero == 0 &&
		    channel->n_words < MAX_WORDS)
			channel->words[channel->n_words++] = page + at * WORD_STEP;
	}
}

/* In the part of every mapping that lies between two offsets. */
static void collect_words(struct found_channel *channel, size_t from, size_t to)
{
	for (int i = 0; i < search.n_mappings; i++) {
		const struct mapping *mapping = &search.mappings[i];
		for (uintptr_t page = mapping->start + from;
		     page < mapping->end && page < mapping->start + to; page += OWN_MEMORY_MAX)
			collect_words_of(page, channel);
	}
}

static void narrow_words(struct found_channel *channel)
{
	int kept = 0;
	for (int i = 0; i < channel->n_words; i++) {
		if (progress_words_payload(search.memory, channel->words[i]) == channel->payload)
			channel->words[kept++] = channel->words[i];
	}
	channel->n_words = kept;
	channel->n_rounds++;
}

/*
 * The channel that has the newest submission of the bench, which is over: looked for at its first
 * sight, else narrowed down. NULL: it is a third one, which nobody asks about.
 */
static struct found_channel *meet_channel(const struct progress_pair *newest, size_t from,
					  size_t to)
{
	for (int i = 0; i < search.found->n; i++) {
		if (search.found->of[i].object != newest->object)
			continue;
		search.found->of[i].payload = (uint32_t)newest->value;
		narrow_words(&search.found->of[i]);
		return &search.found->of[i];
	}
	if (search.found->n == BENCH_STREAMS)
		return NULL;
	struct found_channel *channel = &search.found->of[search.found->n++];
	channel->object = newest->object;
	channel->payload = (uint32_t)newest->value;
	channel->n_words = channel->n_rounds = 0;
	collect_words(channel, from, to);
	return channel;
}

static const char no_word[] = "no word, or more than one, follows the counter";

/*
 * A channel is sure after some rounds. Where there are few of them a stream's submissions go to one
 * after the other, so what counts is which one each went to.
 */
static const char *narrow_all(struct progress_bench *bench, const struct progress_layout *layout,
			      size_t from, size_t to)
{
	enum { MOST_ROUNDS = 24 };
	search.found->n = 0;
	for (int round = 0; round < MOST_ROUNDS; round++) {
		struct progress_pair newest;
		uint64_t tracker;
		int stream = round % BENCH_STREAMS;
		if (!progress_bench_submit(bench, stream, 1) ||
		    !progress_bench_drain(bench, stream) ||
		    !progress_bench_newest(bench, layout, search.memory, stream, &tracker, &newest))
			return "the GPU does not come to our own work";
		(void)meet_channel(&newest, from, to);
	}
	for (int i = 0; i < search.found->n; i++) {
		if (search.found->of[i].n_words != 1 || search.found->of[i].n_rounds < MIN_ROUNDS)
			return no_word;
	}
	return NULL;
}

const char *progress_words_find(struct progress_bench *bench, const struct progress_layout *layout,
				struct own_memory *memory, struct found_channels *out_found,
				struct mapping *out_pages)
{
	search.memory = memory;
	search.found = out_found;
	search.n_mappings =
		device_mappings(SMALLEST_POOL, LARGEST_POOL, search.mappings, MAX_MAPPINGS);
	const char *trouble = narrow_all(bench, layout, 0, FIRST_PART);
	if (trouble == no_word)
		trouble = narrow_all(bench, layout, FIRST_PART, LARGEST_POOL);
	for (int i = 0; i < search.n_mappings && !trouble; i++) {
		const struct mapping *mapping = &search.mappings[i];
		uintptr_t word = search.found->of[0].words[0];
		if (word >= mapping->start && word < mapping->end)
			*out_pages = *mapping;
	}
	return trouble;
}
