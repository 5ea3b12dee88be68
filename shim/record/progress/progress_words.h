/*
 * progress_words.h - a part of the search: which words follow the channels that our own work goes
 * to.
 */
#ifndef CULPRIT_RECORD_PROGRESS_WORDS_H
#define CULPRIT_RECORD_PROGRESS_WORDS_H

#include <stdint.h>

#include "record/host/device_mappings.h"
#include "record/progress/progress_bench.h"

enum { MAX_WORDS = 512 };

/* A channel that our own work went to, and the words that may be its. */
struct found_channel {
	uint64_t object;
	uint32_t payload; /* of the newest submission that it was given */
	int n_words;
	int n_rounds;
	uintptr_t words[MAX_WORDS];
};

struct found_channels {
	struct found_channel of[BENCH_STREAMS];
	int n;
};

/*
 * Finds for each of up to two channels the one word that shows what it was given last. NULL, or why
 * not; *out_pages is where the words lie. Reads through `memory`. One at a time.
 */
const char *progress_words_find(struct progress_bench *bench, const struct progress_layout *layout,
				struct own_memory *memory, struct found_channels *out_found,
				struct mapping *out_pages);

/* What a word shows; 0: it is not there. */
uint32_t progress_words_payload(struct own_memory *memory, uintptr_t address);

#endif
