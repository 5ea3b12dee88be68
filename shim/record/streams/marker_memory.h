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

#include "base/cuda_api.h"
#include "record/progress/progress_bench.h"

enum {
	MARKER_WORDS = 16 * 1024, /* streams of one context that can be followed at once */
	/*
	 * A side stream of its own for each stream, so that the marker of one does not wait behind
	 * another's unfinished work; but no more than the GPU has hardware queues (8 unless
	 * CUDA_DEVICE_MAX_CONNECTIONS says otherwise; H200, driver 580.159).
	 */
	MAX_SIDE_STREAMS = 8,
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
	CUstream side[MAX_SIDE_STREAMS];
	uint32_t n_side;     /* atomic, written by one thread at a time: those that exist */
	uint32_t is_growing; /* atomic: that thread is at it */
	uint32_t n_early;    /* atomic: markers in line by auto */
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

/* The application has one more stream: one more side stream, while there may be. As above. */
void marker_memory_grow(struct marker_memory *memory);

/* The context is gone, the pages can serve another one. Nobody else uses it any more. */
void marker_memory_lay_down(struct marker_memory *memory);

#endif
