/*
 * marker_case.h - streams whose markers are sent to a simulated driver, and a clock that only the
 * test and the markers move.
 */
#ifndef CULPRIT_TESTS_MARKER_CASE_H
#define CULPRIT_TESTS_MARKER_CASE_H

#include "record/streams/contexts.h"
#include "record/streams/markers.h"

enum {
	N_EARLY = 256,
	US = 1000,
	MS = 1000 * US,
	COST = 1 * US, /* of a marker */
	TOLD = true,
	UNTOLD = false,
};
static const uint64_t SECOND = 1000ull * MS;

struct marker_case {
	volatile uint32_t words[MARKER_WORDS];
	struct context context;
	struct stream_row row, other_row;
	struct stream stream, other; /* of the context */
	uint64_t now_ns;
	bool has_one_queue;
	bool goes_on;    /* the stream's channel needs trials */
	CUresult result; /* of the driver's calls */
	unsigned n_events, n_inside, n_writes, n_samples, n_trials;
	CUstream written_on; /* the newest marker's */
	uint32_t newest_value;
	CUdeviceptr newest_place;
	char order[8]; /* the driver's calls for the newest submission: e, r, w, v */
};
extern struct marker_case sim;

/* Begin a case with new streams, in a context whose memory is ready. */
void marker_case_start(enum marker_scheme scheme, uint32_t interval, uint64_t first);

/* Submit to the stream once more. Return true if a marker followed. */
bool marker_case_submit_row(struct journal_record *record, bool is_told);
bool marker_case_submit(bool is_told);

/* Let the GPU finish all of the stream's work. */
void marker_case_land(void);

#endif
