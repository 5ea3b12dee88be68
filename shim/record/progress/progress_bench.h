/*
 * progress_bench.h - two streams of our own on which the search tries what moves: a memory
 * operation is the least work that a stream can be given, and a fill of a few rows the least that
 * the driver has a kernel for. Lives in one context, and has it current.
 */
#ifndef CULPRIT_RECORD_PROGRESS_BENCH_H
#define CULPRIT_RECORD_PROGRESS_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "record/progress/progress_gate.h"
#include "record/progress/progress_layout.h"

/*
 * What is filled: rows that do not lie side by side, else the driver writes them itself (H200,
 * driver 580.159: 3 rows of 12 bytes, 512 apart, are filled by a kernel, in pinned memory too).
 */
enum { FILL_ROWS = 3, FILL_WIDTH = 3, FILL_PITCH_WORDS = 128 };

enum {
	BENCH_STREAMS = 2,
	BENCH_ROWS = 8, /* before them: a word for each stream, and one for the gate */
	BENCH_WORDS = BENCH_ROWS + FILL_ROWS * FILL_PITCH_WORDS,
};

struct progress_bench {
	CUstream streams[BENCH_STREAMS];
	volatile uint32_t *words; /* BENCH_WORDS, that nobody else uses */
	CUdeviceptr device_words; /* the same as the GPU sees them */
	uint32_t written[BENCH_STREAMS];
	struct progress_gate gate;
	uint32_t n_operations; /* that the GPU is to do before it opens the gate */
};

/* On two streams and words; what these hold is as it was left by the last bench there. */
struct progress_bench progress_bench_on(const CUstream *streams, volatile uint32_t *words,
					CUdeviceptr device_words);

/* Submits n operations to a stream. False: the driver refuses. Calls the driver: no lock held. */
bool progress_bench_submit(struct progress_bench *bench, int stream, int n);

/* Submits n fills. As above. */
bool progress_bench_fill(const struct progress_bench *bench, int stream, int n);

/*
 * Waits until the GPU has done what was submitted to a stream; gives up after 20 ms, as when it is
 * busy, stopped or failed.
 */
bool progress_bench_drain(const struct progress_bench *bench, int stream);

/*
 * Puts a closed gate into a stream. It opens by itself: who looks at what is behind it asks
 * afterwards whether it was closed, and if not tries again with a slower one. False: the driver
 * refuses. Calls the driver: no lock held.
 */
bool progress_bench_hold(struct progress_bench *bench, int stream);

/* The next gates take the GPU twice as long. False: this is slow enough, more is not tried. */
bool progress_bench_slow_down(struct progress_bench *bench);

/* Time enough for the GPU to come to what is held back, if it would: many times a round trip. */
void progress_bench_give_time(void);

/*
 * What a stream says of its newest submission: its tracker, and the channel with the payload.
 * False: it does not say so. Reads through `memory`.
 */
bool progress_bench_newest(const struct progress_bench *bench, const struct progress_layout *layout,
			   struct own_memory *memory, int stream, uint64_t *out_tracker,
			   struct progress_pair *out_channel);

/* The same of the kernel that is its newest submission: its object, which use of that, and where it
 * went. */
bool progress_bench_kernel(const struct progress_bench *bench, const struct progress_layout *layout,
			   struct own_memory *memory, int stream, struct progress_pair *out_kernel,
			   struct progress_pair *out_channel);

#endif
