/*
 * moment.h - the moment at which a process is examined: that of its failure or, without a failure,
 * any other.
 */
#ifndef CULPRIT_PROGRESS_MOMENT_H
#define CULPRIT_PROGRESS_MOMENT_H

#include <stdint.h>

struct moment {
	int32_t code;      /* CUresult that calls return since then; 0: nothing has failed */
	uint32_t flags;    /* enum failure_flags */
	uint64_t sequence; /* newest submission's number then; later submissions are ignored */
	uint64_t time_ns;
	/* CLOCK_MONOTONIC when the driver's counters were read, if records may be newer; 0: none is
	 */
	uint64_t counters_ns;
};

#endif
