/*
 * marker_memory.h - what markers need in each context: words that the GPU writes, and streams of
 * our own to write them from.
 *
 * The words are in our own pages, registered with the driver: they stay readable after the failure
 * and after the context's destruction. Prepared once for each context, outside launches.
 */
#ifndef CULPRIT_RECORD_MARKER_MEMORY_H
#define CULPRIT_RECORD_MARKER_MEMORY_H

#include <stdint.h>

#include "base/cuda_api.h"
#include "record/progress/probe_streams.h"

enum {
	MARKER_WORDS = 16 * 1024, /* streams of one context that can be followed at once */
	/*
	 * Each stream has its own side stream, so that its marker does not wait for another
	 * stream's unfinished work. There are no more than the GPU's hardware queues (8 unless
	 * CUDA_DEVICE_MAX_CONNECTIONS says otherwise; H200, driver 580.159).
	 */
	MAX_SIDE_STREAMS = 8,
};

enum marker_memory_state {
	MARKER_MEMORY_NONE,
	MARKER_MEMORY_PREPARING, /* by one thread; others do without */
	MARKER_MEMORY_READY,
	MARKER_MEMORY_REFUSED, /* the driver refused; it is not asked again */
};

struct marker_memory {
	uint32_t state;           /* atomic: enum marker_memory_state; READY publishes the rest */
	uint32_t n_words;         /* atomic: handed out so far */
	volatile uint32_t *words; /* as the host reads them */
	CUdeviceptr device_words; /* as the GPU writes them */
	CUstream side[MAX_SIDE_STREAMS];
	uint32_t n_side;     /* atomic, written by one thread at a time: those that exist */
	uint32_t is_growing; /* atomic: a thread is adding one */
	uint32_t n_early;    /* atomic: inline markers written by auto */
	/* Atomic hints whether the context uses one stream only: */
	uint32_t n_submissions;
	uint32_t newest_stream; /* id */
	uint32_t switched_at;   /* n_submissions when newest_stream last changed */
};

/*
 * Prepare the memory of the current context, unless that was tried before. Returns the driver's
 * result of the first try, else success. Calls the driver: no lock held, never from a launch. Any
 * thread.
 */
CUresult marker_memory_prepare(struct marker_memory *memory);

/* Add a side stream for one more stream of the application, up to the limit. As above. */
void marker_memory_grow(struct marker_memory *memory);

/* Free the pages of an ended context for another one. No other thread may use the memory. */
void marker_memory_lay_down(struct marker_memory *memory);

#endif
