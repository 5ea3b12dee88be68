/*
 * progress_counters.h - a part of the search: find the counters that follow the channels of our own
 * work.
 */
#ifndef CULPRIT_RECORD_PROGRESS_COUNTERS_H
#define CULPRIT_RECORD_PROGRESS_COUNTERS_H

#include <stdint.h>

#include "record/host/mappings.h"
#include "record/progress/probe_streams.h"

enum { MAX_WORDS = 512 };

/* A channel that our own work went to, and the words that may be its counter. */
struct found_channel {
	uint64_t object;
	uint32_t payload; /* of its newest submission */
	int n_words;
	int n_rounds;
	uintptr_t words[MAX_WORDS];
};

struct found_channels {
	struct found_channel of[N_PROBE_STREAMS];
	int n;
};

/*
 * Find the one word of each of up to two channels that shows the newest payload. Returns NULL, or
 * why not; *out_pages is where the words are. Reads through `memory`. One at a time.
 */
const char *progress_counters_find(struct probe_streams *probe,
				   const struct progress_layout *layout, struct own_memory *memory,
				   struct found_channels *out_found, struct mapping *out_pages);

/* Return a word's payload; 0: the word is not mapped. */
uint32_t progress_counters_payload(struct own_memory *memory, uintptr_t address);

#endif
