/*
 * stream_case.h - two contexts and their streams, for tests of streams.c: the driver and the
 * recorder's other parts are simulated and traced. "[" and "]" are the lock of a context.
 */
#ifndef CULPRIT_TESTS_STREAM_CASE_H
#define CULPRIT_TESTS_STREAM_CASE_H

#include "record/streams/contexts.h"
#include "record/streams/late_numbers.h"
#include "record/streams/stream_rows.h"

enum { TID = 100, OTHER = 101, N_STREAMS = 8, N_KEYS = 8, HANDLE = 0x50 };

extern struct stream_case {
	struct context contexts[2];
	struct context *current;
	struct stream streams[N_STREAMS + 1]; /* by id */
	struct stream_row rows[N_STREAMS + 1];
	uint32_t n_streams;
	bool has_no_streams, gets_number, is_frozen;
	struct stream *raced; /* another thread is first with this one */
	struct late_numbers late;
	uint64_t keys[N_KEYS], values[N_KEYS]; /* the map */
} stream_case;

/* Set the driver's calls, and make the first context the current one. */
void stream_case_start(void);

/* Return the index of the key in the map; N_KEYS: none. */
uint32_t stream_case_slot(uint64_t key);

#endif
