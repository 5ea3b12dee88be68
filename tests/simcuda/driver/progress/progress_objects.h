/*
 * progress_objects.h - the driver's objects: what tools see of each, and what we need to go with
 * it. All are guarded by sim_lock.
 */
#ifndef SIMCUDA_PROGRESS_OBJECTS_H
#define SIMCUDA_PROGRESS_OBJECTS_H

#include <stdint.h>

#include "objects.h"
#include "progress/progress_layout.h"
#include "progress/progress_pages.h"
#include "work/operation.h"

enum { MAX_CONNECTIONS = 32, RING_KERNELS = 8 };

/* Which one copies what, counted from the first behind those of the streams. */
enum { COPY_TO_DEVICE = 1, COPY_TO_HOST = 4 };

struct progress_channel {
	uint64_t object[CHANNEL_BYTES / 8];
	unsigned index;
	uint32_t newest; /* the payload of its newest submission */
	uint32_t begun;  /* the highest of those that have begun */
	/* What has not begun, by next, oldest first. */
	struct progress_use *first, *last;
};

/* One of the words of a stream, used by turns. */
struct progress_kernel {
	uint64_t object[KERNEL_BYTES / 8];
	uint64_t link[LINK_BYTES / 8];
	uint64_t n_uses;
	unsigned offset; /* of the word */
	uint32_t value;  /* that it has, or will have once it is written */
};

/* Goes from a stream that ends to the next new one: counts, and words, go on. */
struct progress_ring {
	struct progress_ring *next;
	struct progress_kernel kernels[RING_KERNELS];
};

/* Of a context. */
struct progress {
	unsigned n_references; /* the context's and its streams' */
	struct progress_pages pages;
	uint64_t n_submissions;
	unsigned n_streams; /* that were ever made, but for the legacy one */
	struct progress_ring *unused;
	unsigned n_rings;
	struct progress_channel channels[MAX_CONNECTIONS + COPY_TO_HOST + 1];
};

/* Where the handle leads. */
struct progress_stream {
	uint64_t object[OBJECT_BYTES / 8];
	struct progress_stream *next, *previous; /* of its context */
	uint64_t *tracker;
	uint64_t *entries; /* of the tracker, once it had more than it has room for; else NULL */
	uint64_t
		*other; /* of a primary context's legacy stream: another object, with its tracker */
	struct progress *progress;
	struct progress_channel *channel;
	struct progress_ring *ring;
	unsigned next_kernel;
};

/* Where a channel's word is in the pages. */
unsigned progress_word_of(const struct progress_channel *channel);

#endif
