/*
 * test_progress_counters.c - which word of the driver's pages is a channel's counter, among others
 * that look like it, and that a word that lags is rejected. The pages and the GPU are simulated
 * here.
 */
#include "record/progress/progress_counters.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

enum { N_WORDS = 192 * 1024 / WORD_STEP, FIRST_WORDS = 64 * 1024 / WORD_STEP };

/* The numbers of the first channel's first submissions, in a search and in one after it. */
enum { FIRST = 2, FIRST_OF_SECOND = 26 };

static _Alignas(4096) struct progress_counter pools[3][N_WORDS];
static struct progress_counter *const pool = pools[1];

/* Two channels: their words, and the value that the GPU is about to write there. */
static struct {
	struct progress_counter *word, *twin; /* twin: NULL, or one that always shows the same */
	uint32_t payload;
} channels[N_PROBE_STREAMS];

static bool is_late; /* words show the number of the submission before */
static struct found_channels found;

static void show(void)
{
	for (int i = 0; i < N_PROBE_STREAMS; i++) {
		if (channels[i].word)
			channels[i].word->payload = channels[i].payload;
		if (channels[i].twin)
			channels[i].twin->payload = channels[i].payload;
	}
}

bool probe_streams_submit(struct probe_streams *probe, int stream, int n)
{
	(void)probe;
	if (is_late)
		show();
	channels[stream].payload += 2 * (uint32_t)n;
	if (!is_late)
		show();
	return true;
}

bool probe_streams_drain(const struct probe_streams *probe, int stream)
{
	(void)probe;
	(void)stream;
	return true;
}

bool probe_streams_newest(const struct probe_streams *probe, const struct progress_layout *layout,
			  struct own_memory *memory, int stream, uint64_t *out_tracker,
			  struct progress_pair *out_channel)
{
	(void)probe;
	(void)layout;
	(void)memory;
	*out_tracker = 1;
	*out_channel = (struct progress_pair){(uint64_t)stream + 1, channels[stream].payload};
	return true;
}

int mappings_of_device(size_t min_size, size_t max_size, struct mapping *out, int max)
{
	CHECK(min_size <= sizeof(pools[0]) && sizeof(pools[0]) <= max_size && max >= 3);
	/* The words lie in the second one. */
	for (size_t i = 0; i < sizeof(pools) / sizeof(*pools); i++)
		out[i] = (struct mapping){(uintptr_t)pools[i], (uintptr_t)(pools[i] + N_WORDS)};
	return sizeof(pools) / sizeof(*pools);
}

bool own_memory_read(struct own_memory *memory, uintptr_t address, void *out, size_t size)
{
	(void)memory;
	memcpy(out, (const void *)address, size);
	return true;
}

/* Put words at these places, the second channel's twin at a third one, if that is not 0. */
static const char *find(size_t one, size_t other, size_t twin, bool late)
{
	struct mapping pages = {0};
	memset(channels, 0, sizeof(channels));
	channels[0].word = one ? &pool[one] : NULL;
	channels[1].word = other ? &pool[other] : NULL;
	channels[1].twin = twin ? &pool[twin] : NULL;
	is_late = late;
	const char *trouble = progress_counters_find(NULL, NULL, NULL, &found, &pages);
	if (!trouble) {
		CHECK(pages.start == (uintptr_t)pool && pages.end == (uintptr_t)pools[2]);
		CHECK_EQUAL(found.n, N_PROBE_STREAMS);
		CHECK(found.of[0].words[0] == (uintptr_t)&pool[one]);
		CHECK(found.of[1].words[0] == (uintptr_t)&pool[other]);
		CHECK(found.of[0].n_rounds >= 10 && found.of[1].n_rounds >= 10);
	}
	memset(pools, 0, sizeof(pools));
	return trouble;
}

static bool tells(const char *trouble, const char *expected)
{
	return trouble && strcmp(trouble, expected) == 0;
}

static void test_places(void)
{
	CHECK(!find(77, 76, 0, false));
	CHECK(!find(FIRST_WORDS + 5, FIRST_WORDS + 4, 0, false));
	CHECK(!find(FIRST_WORDS, FIRST_WORDS - 1, 0, false)); /* neighbours across the border */
}

/* A word that lags by one submission does not show what has started. */
static void test_late(void)
{
	CHECK(tells(find(77, 76, 0, true), "no word follows the counter"));
}

static void test_others(void)
{
	CHECK(tells(find(77, 0, 0, false), "no word follows the counter"));
	CHECK(tells(find(77, 76, 90, false), "more than one word follows the counter"));
	/* By chance, many words show the number of the first submission, in either search. */
	for (size_t i = 0; i < N_WORDS; i++)
		pool[i].payload = i % 2 ? FIRST : FIRST_OF_SECOND;
	CHECK(!find(FIRST_WORDS - 1, FIRST_WORDS - 2, 0, false));
}

int main(void)
{
	test_places();
	test_late();
	test_others();
	return 0;
}
