/*
 * journal_failure.h - the part of journal_format.h about the failure. Include journal_format.h
 * instead of this file.
 */
#ifndef CULPRIT_BASE_JOURNAL_FAILURE_H
#define CULPRIT_BASE_JOURNAL_FAILURE_H

#include <assert.h>
#include <stdint.h>

enum failure_flags {
	FAILURE_UNKNOWN_LAUNCH =
		1,                /* an unknown entry point with "Launch" in its name was called */
	FAILURE_STREAMS_LOST = 2, /* some work could not be numbered, or was not seen */
	FAILURE_COREDUMPS = 8,    /* GPU core dumps are on: the driver may have hidden the error */
	FAILURE_LAUNCH_BLOCKING = 4,   /* CUDA_LAUNCH_BLOCKING=1: launches return their own error */
	FAILURE_SYNCS_WATCHED = 16,    /* syncs that returned while a dump existed prove nothing */
	FAILURE_COREDUMP_MISSING = 32, /* core dumps were requested, but not available */
	FAILURE_CHECKPOINTED = 64,     /* the process was checkpointed and restored */
	FAILURE_FOLLOWED = 128,        /* live: a context that survived this failure failed later */
	FAILURE_BYPASSED = 256, /* a module calls the driver without culprit: MODULE_BYPASSES */
	/* The driver's own state of its streams shows work that culprit did not see: */
	FAILURE_UNSEEN_BETWEEN = 512, /* a kernel between two recorded launches of a stream */
	FAILURE_UNSEEN_NEWEST = 1024, /* the newest submission of a stream */
	FAILURE_UNSEEN_STREAM = 2048, /* a kernel on a stream without recorded work */
	FAILURE_SHARED = 4096,        /* a GPU is shared by MPS: another process may have failed */
	FAILURE_WORK_UNSEEN = FAILURE_BYPASSED | FAILURE_UNSEEN_BETWEEN | FAILURE_UNSEEN_NEWEST |
			      FAILURE_UNSEEN_STREAM, /* any sign of unseen work */
};

/* Written once, by the thread that first saw the failure. The file exists only after a failure. */
struct failure_row {
	int32_t code;  /* CUresult */
	uint32_t call; /* string: name of the observer */
	uint32_t tid;
	uint32_t stack;  /* of the observer */
	uint32_t stream; /* of the observer; 0: none */
	uint32_t flags;  /* enum failure_flags; live */
	uint64_t time_ns;
	uint64_t sequence;   /* newest submission number at the failure */
	uint64_t n_cleanups; /* live: clean-up calls whose error was changed to success since */
	uint64_t n_sticky;   /* live: calls that returned the code since, including the observer */
};
static_assert(sizeof(struct failure_row) == 56, "failure_row is part of the format");

#endif
