/*
 * submit_stubs.h - one thread, one stream, and all that submissions ask of the recorder: each
 * question and note is traced.
 */
#ifndef CULPRIT_TESTS_SUBMIT_STUBS_H
#define CULPRIT_TESTS_SUBMIT_STUBS_H

#include "base/journal_format.h"
#include "record/streams/stream_rows.h"
#include "record/thread.h"

enum { SUBMIT_TID = 7, SUBMIT_OTHER_TID = 8, SUBMIT_ROWS = 8 };

/* The flags of a case. */
enum submit_flag {
	SUBMIT_BUSY = 1 << 0,      /* another thread has the stream's lock */
	SUBMIT_WAITS = 1 << 1,     /* and releases it soon enough */
	SUBMIT_CAPTURES = 1 << 2,  /* the stream captures */
	SUBMIT_UNKNOWN = 1 << 3,   /* the driver does not know the stream */
	SUBMIT_FULL = 1 << 4,      /* the ring is full */
	SUBMIT_RANGES = 1 << 5,    /* the thread is in an NVTX range */
	SUBMIT_NVTX = 1 << 6,      /* NVTX is used */
	SUBMIT_TOLD = 1 << 7,      /* the driver's counters tell of the submission */
	SUBMIT_QUIET = 1 << 8,     /* no marker is due */
	SUBMIT_NO_TURN = 1 << 9,   /* the lock cannot be had after the call */
	SUBMIT_LOST_LOCK = 1 << 10 /* a copy does not get its lock back */
};

extern unsigned submit_flags;
extern struct thread submit_thread;
extern struct stream submit_stream;
extern struct stream_row submit_row;
extern uint64_t submit_time; /* each look at the clock adds 10 */

/* Begin a case: the thread's ring is empty, and the stream has 40 submissions. */
void submit_reset(unsigned flags);

/* Trace all that the row holds. */
void submit_trace_row(const struct journal_record *row);

#endif
