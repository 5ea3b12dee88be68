/*
 * late_numbers.h - one thread's submissions that the driver has accepted without a number. Other
 * threads had the stream's lock before and after them (RECORD_UNORDERED, without an ordinal). They
 * are numbered when the thread next can. Until then only their records show them: the header of the
 * thread's ring has the sequence of the oldest (file_header.owed, 0: none), so that a reader of the
 * journal knows whether the ring has overwritten any.
 */
#ifndef CULPRIT_RECORD_LATE_NUMBERS_H
#define CULPRIT_RECORD_LATE_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

struct journal_record;
struct stream;

struct late_number {
	struct stream *stream;
	uint32_t life; /* of the stream, whose memory may be another stream's by then */
	struct journal_record *row;
	uint64_t sequence; /* of the row, which the ring may have overwritten */
};

/*
 * If more are owed at a time, they are lost. A thread tries at each submission, and fails if the
 * lock is taken: eight in a row would be common among four threads that do nothing else.
 */
enum { LATE_NUMBERS = 64 };

/* All zero: none is owed. */
struct late_numbers {
	uint32_t n;
	uint32_t tid;                        /* of the thread */
	uint64_t *told;                      /* file_header.owed of its ring */
	struct late_number of[LATE_NUMBERS]; /* the oldest first */
};

/*
 * Owe a number to the submission of `row` to the stream. The header of its ring has `told`. `late`
 * or `row` is NULL if there was no memory for it. Called by the thread of this id.
 */
void late_numbers_owe(struct late_numbers *late, uint32_t tid, struct stream *stream,
		      struct journal_record *row, uint64_t *told);

/*
 * Number the submissions whose streams can be locked at once. False: some are left; after the
 * failure all are. No lock held. The owing thread only.
 */
bool late_numbers_give(struct late_numbers *late);

/* At the thread's end, number the rest, waiting as a submitter would, or give up. The same. */
void late_numbers_end(struct late_numbers *late);

#endif
