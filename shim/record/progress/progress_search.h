/*
 * progress_search.h - find where the driver keeps its progress, by trying. Work is submitted to two
 * streams of our own, and the right place moves accordingly. At the end work is held back for a
 * while, and the counters must show the difference between submitted and started work.
 *
 * Makes about a thousand reads of 256 bytes and some hundred of a page, all through a pipe, because
 * other contexts may end meanwhile and unmap their pages. The first context of a process finds the
 * layout; later ones confirm it.
 */
#ifndef CULPRIT_RECORD_PROGRESS_SEARCH_H
#define CULPRIT_RECORD_PROGRESS_SEARCH_H

#include <stdint.h>

#include "record/host/mappings.h"
#include "record/progress/probe_streams.h"
#include "record/progress/progress_layout.h"

/* A channel that the search tried. Its counter was right about n_rounds successive numbers. */
struct searched_channel {
	uint64_t object;
	uint32_t payload; /* the newest of them */
	uint32_t n_rounds;
};

/* The result of a search in one context. */
struct counter_map {
	struct mapping pages;   /* the pages of its channels' counters */
	uintptr_t first_word;   /* counter of the channel with index 0; 0: there is one channel */
	uint64_t only_channel;  /* its object, if there is only one, */
	uintptr_t only_word;    /* and its counter */
	uint64_t tracker_class; /* the first word of every tracker there */
	uint64_t channel_class; /* and of every channel's object */
	uint64_t first_stream;  /* the object of the first one in its list; 0: unknown */
	struct searched_channel tried[N_PROBE_STREAMS];
	int n_tried;
};

/*
 * Search in the current context. *layout is filled in if it is all zero, else confirmed. Returns
 * NULL if both are filled in, else a static text that says why not. Calls the driver: no lock held.
 * One at a time.
 */
const char *progress_search(struct probe_streams *probe, struct progress_layout *layout,
			    struct counter_map *out_map);

#endif
