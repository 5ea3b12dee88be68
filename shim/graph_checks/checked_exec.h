/*
 * checked_exec.h - what is known of an executable graph that has a checked instance, or was left
 * alone.
 */
#ifndef CULPRIT_GRAPH_CHECKS_CHECKED_EXEC_H
#define CULPRIT_GRAPH_CHECKS_CHECKED_EXEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "graph_checks/checked_graph.h"

/* In the arena, and reused for another graph when this one is destroyed. */
struct checked_exec {
	struct checked_graph graph; /* without an instance: it is not checked */
	CUgraphExec handle;         /* the program's */
	const char *reason;         /* why not, until it is reported; NULL: nothing to report */
	uint64_t number;            /* of the journal's row, known from the first launch on */
	uint32_t stack;             /* of the call that instantiated it */
	uint32_t n_replays;
	uint32_t reported;   /* replays up to this one are not reported any more */
	uint32_t n_reports;  /* of replays */
	uint64_t asked_ns;   /* when the answers were last read */
	uint64_t generation; /* of the table of ranges, when the checks' were last compared */
	CUcontext owner;     /* of `finished`, with its id */
	uint32_t owner_id;
	CUevent finished; /* follows each launch of the checked instance; NULL: none yet */
	bool is_owed;     /* the next launch waits for `finished`: the instance was given up */
	bool is_launched; /* since the last change */
	struct checked_exec *next; /* in the list of all, or of the free ones */
};

#endif
