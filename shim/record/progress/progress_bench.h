/*
 * progress_bench.h - two streams of our own on which the search tries what moves: a memory
 * operation is the least work that a stream can be given. Lives in one context, and has it current.
 */
#ifndef CULPRIT_RECORD_PROGRESS_BENCH_H
#define CULPRIT_RECORD_PROGRESS_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "record/progress/progress_layout.h"

enum { BENCH_STREAMS = 2, BENCH_WORDS = BENCH_STREAMS + 1 };

struct progress_bench {
	CUstream streams[BENCH_STREAMS];
	volatile uint32_t *words; /* BENCH_WORDS, that nobody else uses */
	CUdeviceptr device_words; /* the same as the GPU sees them */
	uint32_t written[BENCH_STREAMS];
};

/* Submits n operations to a stream. False: the driver refuses. Calls the driver: no lock held. */
bool progress_bench_submit(struct progress_bench *bench, int stream, int n);

/*
 * Waits until the GPU has done what was submitted to a stream; gives up after 20 ms, as when it is
 * busy, stopped or failed.
 */
bool progress_bench_drain(const struct progress_bench *bench, int stream);

/* Has a stream wait for the host; what is submitted behind it does not begin until it is let go. */
bool progress_bench_hold(struct progress_bench *bench, int stream);
void progress_bench_release(struct progress_bench *bench);

/*
 * What a stream says of its newest submission: its tracker, and the channel with the payload.
 * False: it does not say so. Reads through `memory`.
 */
bool progress_bench_newest(const struct progress_bench *bench, const struct progress_layout *layout,
			   struct own_memory *memory, int stream, uint64_t *out_tracker,
			   struct progress_pair *out_channel);

#endif
