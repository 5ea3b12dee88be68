/*
 * marker_memory.h - what markers need in each context: words that the GPU writes and streams of our
 * own to write them from.
 *
 * The words are our own pages, registered with the driver: they stay readable when the context is
 * destroyed or the failure has come. Prepared once a context, outside launches.
 */
#ifndef CULPRIT_RECORD_MARKER_MEMORY_H
#define CULPRIT_RECORD_MARKER_MEMORY_H

#include <stdint.h>

#include "cuda_api.h"

enum {
	MARKER_WORDS = 16 * 1024, /* streams of one context that can be followed at once */
	/*
	 * Two side streams: with 2-8 busy streams two to four beat one by 5-10 % of the GPU's time,
	 * and each takes a share of the 8 hardware queues (H200, driver 580.159).
	 */
	SIDE_STREAMS = 2,
};

enum marker_memory_state {
	MARKER_MEMORY_NONE,
	MARKER_MEMORY_PREPARING, /* by one thread; others go without */
	MARKER_MEMORY_READY,
	MARKER_MEMORY_REFUSED, /* the driver would not; not asked again */
};

struct marker_memory {
	uint32_t state;           /* atomic: enum marker_memory_state; READY publishes the rest */
	uint32_t n_words;         /* atomic: handed out so far */
	volatile uint32_t *words; /* as the host reads them */
	CUdeviceptr device_words; /* as the GPU writes them */
	CUstream side[SIDE_STREAMS];
	/* atomic, and only hints: is one stream of the context alone? */
	uint32_t n_submissions;
	uint32_t newest_stream; /* id */
	uint32_t switched_at;   /* n_submissions when newest_stream last changed */
};

/*
 * Prepares the memory of the current context, unless that was tried before. Returns what the driver
 * said to the first try, else success. Calls the driver: no lock held, never from a launch. Any
 * thread.
 */
CUresult marker_memory_prepare(struct marker_memory *memory);

#endif
