/*
 * moment.h - the moment of a process that is looked at: that of its failure, or any other one, of
 * which no failure has to be made up.
 */
#ifndef CULPRIT_VERDICT_MOMENT_H
#define CULPRIT_VERDICT_MOMENT_H

#include <stdint.h>

struct moment {
	int32_t code;      /* CUresult that calls return since; 0: nothing has failed */
	uint32_t flags;    /* enum failure_flags */
	uint64_t sequence; /* newest submission number then: later ones have no part in it */
	uint64_t time_ns;
};

#endif
