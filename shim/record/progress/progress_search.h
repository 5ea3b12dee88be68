/*
 * progress_search.h - finds where the driver keeps its progress, by trying: work is submitted to
 * two streams of our own, and what moves as it should is what is sought. At the end work is held
 * back for a while, and the words must tell what was submitted from what has begun.
 *
 * About a thousand reads of 256 bytes and some hundred of a page, all through a pipe: other
 * contexts may end meanwhile, and their pages with them. The first context of a process finds the
 * layout, later ones confirm it.
 */
#ifndef CULPRIT_RECORD_PROGRESS_SEARCH_H
#define CULPRIT_RECORD_PROGRESS_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "record/host/device_mappings.h"
#include "record/progress/progress_bench.h"
#include "record/progress/progress_layout.h"

/* A channel that the search tried: its word was right about so many numbers, one after the other.
 */
struct searched_channel {
	uint64_t object;
	uint32_t payload; /* the newest of them */
	uint32_t n_rounds;
};

/* What was found in one context. */
struct progress_ground {
	struct mapping pages;   /* that hold the words of its channels */
	uintptr_t first_word;   /* of the channel with index 0; 0: there is but one channel */
	uint64_t only_channel;  /* its object, where there is but one, */
	uintptr_t only_word;    /* and its word */
	uint64_t tracker_class; /* the first word of every tracker there */
	uint64_t channel_class; /* and of every channel's object */
	uint64_t first_stream;  /* the object of the first one in its list; 0: not known */
	struct searched_channel tried[BENCH_STREAMS];
	int n_tried;
};

/*
 * Searches in the current context. *layout is filled in where it is all zero, else confirmed. NULL
 * when both are filled in, else why not: a phrase that lives for ever. Calls the driver: no lock
 * held. One at a time.
 */
const char *progress_search(struct progress_bench *bench, struct progress_layout *layout,
			    struct progress_ground *out_ground);

#endif
