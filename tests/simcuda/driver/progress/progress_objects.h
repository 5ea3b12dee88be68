/*
 * progress_objects.h - the driver's objects: the part of each that tools see (`object`), and our
 * own state of it. All are guarded by sim_lock.
 */
#ifndef SIMCUDA_PROGRESS_OBJECTS_H
#define SIMCUDA_PROGRESS_OBJECTS_H

#include <stdint.h>

#include "objects.h"
#include "progress/progress_layout.h"
#include "progress/progress_pages.h"
#include "work/operation.h"

enum { MAX_CONNECTIONS = 32, RING_KERNELS = 8 };

/* Channels for copies, counted from the end of the streams' channels. */
enum { COPY_TO_DEVICE = 1, COPY_TO_HOST = 4 };

struct progress_channel {
	uint64_t object[CHANNEL_BYTES / 8];
	unsigned index;
	uint32_t newest; /* payload of its newest submission */
	uint32_t begun;  /* highest payload that has started */
	/* Submissions that have not started, by next, oldest first. */
	struct progress_use *first, *last;
};

/* One of the kernel counters of a stream, which are used in turn. */
struct progress_kernel {
	uint64_t object[KERNEL_BYTES / 8];
	uint64_t link[LINK_BYTES / 8];
	uint64_t n_uses;
	unsigned offset; /* of the counter */
	uint32_t value;  /* its value, perhaps not written yet */
};

/* The kernel counters of a stream. A new stream reuses an ended stream's ring and its values. */
struct progress_ring {
	struct progress_ring *next;
	struct progress_kernel kernels[RING_KERNELS];
};

/* State of a context. */
struct progress {
	unsigned n_references; /* of the context and its streams */
	struct progress_pages pages;
	uint64_t n_submissions;
	unsigned n_streams; /* ever created, without the legacy stream */
	struct progress_ring *unused;
	unsigned n_rings;
	struct progress_channel channels[MAX_CONNECTIONS + COPY_TO_HOST + 1];
};

/* The object that a stream's handle points to. */
struct progress_stream {
	uint64_t object[OBJECT_BYTES / 8];
	struct progress_stream *next, *previous; /* of its context */
	uint64_t *tracker;
	uint64_t *entries; /* of the tracker, if they did not fit in it; else NULL */
	uint64_t *other;   /* extra object of a primary context's legacy stream, or NULL */
	struct progress *progress;
	struct progress_channel *channel;
	struct progress_ring *ring;
	unsigned next_kernel;
};

/* Return the offset of a channel's counter in the pages. */
unsigned progress_word_of(const struct progress_channel *channel);

#endif
