/*
 * journal_failure.h - the part of journal_format.h about the failure: its readers include that one.
 */
#ifndef CULPRIT_BASE_JOURNAL_FAILURE_H
#define CULPRIT_BASE_JOURNAL_FAILURE_H

#include <assert.h>
#include <stdint.h>

enum failure_flags {
	FAILURE_UNKNOWN_LAUNCH = 1, /* an entry point with "Launch" in its name passed us unseen */
	FAILURE_STREAMS_LOST = 2,   /* work went where it could not be numbered, or passed unseen */
	FAILURE_COREDUMPS = 8, /* GPU core dumps are on: the driver may have hidden the error */
	FAILURE_LAUNCH_BLOCKING = 4,   /* CUDA_LAUNCH_BLOCKING=1: launches return their own error */
	FAILURE_SYNCS_WATCHED = 16,    /* no sync was believed that returned when a dump existed */
	FAILURE_COREDUMP_MISSING = 32, /* core dumps were wanted, and not to be had */
	FAILURE_CHECKPOINTED = 64,     /* the process was checkpointed, and goes on restored */
	FAILURE_FOLLOWED = 128, /* live: a context that this failure had left sound failed later */
	FAILURE_BYPASSED = 256, /* a module calls the driver without culprit: MODULE_BYPASSES */
	/* By what the driver notes of its streams there was work that culprit did not see: */
	FAILURE_UNSEEN_BETWEEN = 512, /* a kernel between two recorded launches of a stream */
	FAILURE_UNSEEN_NEWEST = 1024, /* the newest submission of a stream */
	FAILURE_UNSEEN_STREAM = 2048, /* a kernel of a stream that no recorded work went to */
	FAILURE_SHARED = 4096,        /* a GPU is shared by MPS: another process may have failed */
	FAILURE_WORK_UNSEEN = FAILURE_BYPASSED | FAILURE_UNSEEN_BETWEEN | FAILURE_UNSEEN_NEWEST |
			      FAILURE_UNSEEN_STREAM, /* each of these, and a module's */
};

/* Written once by the thread that won the failure; the file exists only after one. */
struct failure_row {
	int32_t code;  /* CUresult */
	uint32_t call; /* string: the observer */
	uint32_t tid;
	uint32_t stack;  /* of the observer */
	uint32_t stream; /* of the observer, 0 none */
	uint32_t flags;  /* enum failure_flags; live */
	uint64_t time_ns;
	uint64_t sequence;   /* newest submission number then */
	uint64_t n_cleanups; /* live: calls made harmless since */
	uint64_t n_sticky;   /* live: calls that returned the code since, the observer included */
};
static_assert(sizeof(struct failure_row) == 56, "failure_row is part of the format");

#endif
