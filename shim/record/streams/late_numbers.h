/*
 * late_numbers.h - submissions of one thread that the driver has taken, and that got no number
 * since others had the stream's lock before and behind them (RECORD_UNORDERED, of no ordinal). They
 * are numbered when the thread next can. Until then their records alone tell of them: the header of
 * the thread's ring has the sequence of the oldest (file_header.owed, 0: none), so that whoever
 * reads the journal knows whether the ring has forgotten any.
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

/*
 * Of more at a time there is no knowing, ever. A thread tries at each submission, which fails where
 * the lock is taken: eight in a row would be common among four threads that do nothing else.
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
 * The submission of `row` is in the stream, and in the ring whose header has `told`. Where there
 * was no memory `late` is NULL, or `row`. By the thread of this id.
 */
void late_numbers_owe(struct late_numbers *late, uint32_t tid, struct stream *stream,
		      struct journal_record *row, uint64_t *told);

/*
 * Numbers those whose streams can be locked now, without waiting. False: some are left, as all are
 * after the failure. No lock held. By the thread.
 */
bool late_numbers_give(struct late_numbers *late);

/* The thread ends: the last are numbered, waiting as a submitter would, or never. The same. */
void late_numbers_end(struct late_numbers *late);

#endif
