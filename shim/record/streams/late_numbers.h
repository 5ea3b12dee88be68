/*
 * late_numbers.h - submissions of one thread that the driver has taken, and that got no number
 * since others had the stream's lock before and behind them (RECORD_UNORDERED, of no ordinal). They
 * are numbered when the thread next can: until then nothing tells when they are finished, nor that
 * there were such where the ring has forgotten them, and no verdict can be exact.
 */
#ifndef CULPRIT_RECORD_LATE_NUMBERS_H
#define CULPRIT_RECORD_LATE_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

struct journal_record;
struct stream;

struct late_number {
	struct stream *stream;
	uint32_t life; /* of the stream, which may be another one by then */
	struct journal_record *row;
	uint64_t sequence; /* of the row: the ring may have come round */
};

/* Of more at a time there is no knowing: a thread tries at each submission. */
enum { LATE_NUMBERS = 8 };

/* All zero: none is owed. */
struct late_numbers {
	uint32_t n;
	uint32_t tid; /* of the thread */
	struct late_number of[LATE_NUMBERS];
};

/*
 * The submission of `row` (may be NULL) is in the stream. `late` is NULL where there was no memory.
 * By the thread of this id.
 */
void late_numbers_owe(struct late_numbers *late, uint32_t tid, struct stream *stream,
		      struct journal_record *row);

/*
 * Numbers those whose streams can be locked now, without waiting. False: some are left. No lock
 * held. By the thread.
 */
bool late_numbers_give(struct late_numbers *late);

/* The thread ends: the last are numbered, waiting as a submitter would, or never. The same. */
void late_numbers_end(struct late_numbers *late);

/* Is any owed, by any thread? Any thread. */
bool late_numbers_are_owed(void);

#endif
