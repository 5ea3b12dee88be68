/*
 * coredump_join.h - which submissions of the journal can be what a GPU core dump says has faulted.
 * Private to this folder.
 *
 * While the driver writes a dump it may report success for work that has not ended, and let work
 * behind the fault run (driver 580.159). So "finished" is believed only of a sync that the recorder
 * checked against the dump, and only where the dump still shows every warp that faulted; else the
 * search is through all of the journal.
 *
 * Copies and memsets that a kernel of the driver's did are told by the addresses among its
 * parameters; where they name one, they rule out the others.
 *
 * What rules a kernel out: another name, other dimensions, other parameter bytes. What makes it
 * sure: the dump's function handle, the same dimensions, all parameter bytes and the context. A
 * handle or a context that differs rules nothing out: a launch may name a CUkernel, and a row of a
 * context or stream may have been used again since. Of a graph
 * launch its kernel nodes are compared, where all of them are known. Kernels
 * that kernels launched are in no journal: then every launch of a kernel may be the one behind it.
 */
#ifndef CULPRIT_VERDICT_COREDUMP_JOIN_H
#define CULPRIT_VERDICT_COREDUMP_JOIN_H

#include <assert.h>

#include "verdict/attribution/coredump_clues.h"
#include "verdict/attribution/verdict.h"
#include "verdict/progress/progress.h"

struct coredump_candidate {
	uint64_t sequence;
	uint64_t distance; /* in submissions, from where the grid's number points to; 0 unknown */
	uint64_t position; /* in ring `slot` */
	uint32_t slot;
	enum coredump_fit fit;
	bool is_passed; /* its stream tells that it is finished */
};

/* Candidates by level: those that the markers of that level do not hold back. */
struct coredump_join {
	struct coredump_clues clues;
	uint64_t expected;               /* see coredump_expected */
	bool trusts_syncs;               /* what a sync said to have finished is no candidate */
	uint64_t n[N_ORDER_LEVELS];      /* submissions that can be it */
	uint64_t n_sure[N_ORDER_LEVELS]; /* of those, COREDUMP_SURE */
	bool is_complete;                /* no record of one that could be it is missing */
	uint32_t n_kept[N_ORDER_LEVELS];
	struct coredump_candidate kept[N_ORDER_LEVELS][VERDICT_MAX_SUSPECTS]; /* best first */
};
static_assert(sizeof(struct coredump_join) % sizeof(uint64_t) == 0, "what follows is aligned");

/*
 * Searches the journal, and if anything was found marks the open work that the dump rules out.
 * After limits_find.
 */
void coredump_join(struct progress *progress, const struct gpu_fault *fault,
		   struct coredump_join *out);

/* Does the dump alone prove that the one candidate did it? */
bool coredump_convicts(const struct progress *progress, const struct coredump_join *join);

#endif
