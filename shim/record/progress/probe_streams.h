/*
 * probe_streams.h - two streams of our own on which the search tries what moves. A memory
 * operation is the least work for a stream; a fill of a few rows is the least for which the driver
 * has a kernel. The streams belong to one context, which must be current.
 */
#ifndef CULPRIT_RECORD_PROBE_STREAMS_H
#define CULPRIT_RECORD_PROBE_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "record/progress/progress_layout.h"

/*
 * A gate in a stream of our own: work after it is submitted but has not started. The GPU opens it
 * itself, with the last of many small operations. A gate that waits for the host could stop the
 * program for good: another thread that loads or unloads code, and waits for the GPU, may keep the
 * opening thread in the driver (H200, driver 580.159: 10 of 39 processes).
 */
struct progress_gate {
	const volatile uint32_t *word; /* the GPU writes it */
	uint32_t opens_at;
};

/* If the gate is closed now, it was also closed during all earlier reads. */
static inline bool progress_gate_is_closed(const struct progress_gate *gate)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return *gate->word != gate->opens_at;
}

/*
 * The filled rows are apart, else the driver writes them without a kernel (H200, driver 580.159: 3
 * rows of 12 bytes, 512 apart, are filled by a kernel, in pinned memory too).
 */
enum { FILL_ROWS = 3, FILL_WIDTH = 3, FILL_PITCH_WORDS = 128 };

enum {
	N_PROBE_STREAMS = 2,
	PROBE_ROWS = 8, /* before them: a word for each stream, and one for the gate */
	PROBE_WORDS = PROBE_ROWS + FILL_ROWS * FILL_PITCH_WORDS,
};

struct probe_streams {
	CUstream streams[N_PROBE_STREAMS];
	volatile uint32_t *words; /* PROBE_WORDS, used by these streams only */
	CUdeviceptr device_words; /* the same as the GPU sees them */
	uint32_t written[N_PROBE_STREAMS];
	struct progress_gate gate;
	uint32_t n_operations; /* that the GPU does before it opens the gate */
};

/* Fill in the two streams and words. The words still hold what the last search left there. */
struct probe_streams probe_streams_on(const CUstream *streams, volatile uint32_t *words,
				      CUdeviceptr device_words);

/* Submit n operations to a stream. False: the driver refuses. Calls the driver: no lock held. */
bool probe_streams_submit(struct probe_streams *probe, int stream, int n);

/* Submit n fills. As above. */
bool probe_streams_fill(const struct probe_streams *probe, int stream, int n);

/*
 * Wait until the GPU has finished a stream's submissions. Gives up after 20 ms in which the thread
 * ran, or a second: the GPU is busy, stopped or failed.
 */
bool probe_streams_drain(const struct probe_streams *probe, int stream);

/*
 * Put a closed gate into a stream. It opens by itself. So, after looking at work after the gate,
 * check that the gate was closed, and if not try again with a slower one. False: the driver
 * refuses. Calls the driver: no lock held.
 */
bool probe_streams_hold(struct probe_streams *probe, int stream);

/* Let the next gates take the GPU twice as long. False: they are at the limit. */
bool probe_streams_slow_down(struct probe_streams *probe);

/* Give the GPU time, many round trips, in which it would start held-back work if it could. */
void probe_streams_give_time(void);

/*
 * Read what the driver notes of a stream's newest submission: its tracker, and the channel with the
 * payload. False: there is no such note. Reads through `memory`.
 */
bool probe_streams_newest(const struct probe_streams *probe, const struct progress_layout *layout,
			  struct own_memory *memory, int stream, uint64_t *out_tracker,
			  struct progress_pair *out_channel);

/* The same for a kernel as newest submission: its object, the number of that object's use, and
 * where it went. */
bool probe_streams_kernel(const struct probe_streams *probe, const struct progress_layout *layout,
			  struct own_memory *memory, int stream, struct progress_pair *out_kernel,
			  struct progress_pair *out_channel);

#endif
