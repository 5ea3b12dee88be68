/*
 * coredump_join.h - which submissions of the journal can be what faulted by a GPU core dump.
 * Private to this folder.
 *
 * While the driver writes a dump, it may report success for unfinished work, and let work after the
 * fault run (driver 580.159). So "finished" is believed only from a sync that the recorder checked
 * against the dump, and only if the dump still shows every warp that faulted. Otherwise the search
 * is through the whole journal. Work of unknown order takes part in it. A marker holds such work
 * back only if it is known to come after the marker.
 *
 * A copy or memset that a kernel of the driver's did is identified by the addresses among the
 * kernel's parameters. If these name one, they rule out the others.
 *
 * Another name, other dimensions or other parameter bytes rule a kernel out. It is sure if the
 * dump's function handle, the dimensions, all parameter bytes and the context are the same. Another
 * handle or context rules nothing out: a launch may name a CUkernel, and a row of a context or
 * stream may have been used again since. A graph launch is compared by its kernel nodes, if all of
 * them are known. Kernels that kernels launched are in no journal: then every launch of a kernel
 * may have launched the one that faulted.
 */
#ifndef CULPRIT_ATTRIBUTION_COREDUMP_JOIN_H
#define CULPRIT_ATTRIBUTION_COREDUMP_JOIN_H

#include <assert.h>

#include "attribution/coredump_parts.h"
#include "attribution/verdict.h"
#include "progress/progress.h"

struct coredump_candidate {
	uint64_t sequence;
	uint64_t
		distance; /* in submissions, from the one that the grid's number means; 0 unknown */
	uint64_t position; /* in ring `slot` */
	uint32_t slot;
	enum coredump_fit fit;
	bool is_passed;  /* its stream says that it is finished */
	bool is_lagging; /* it comes after a side marker that has not landed, but may be late */
};

/* Candidates are submissions that no proof holds back. */
struct coredump_join {
	struct coredump_clues clues;
	uint64_t expected;    /* see coredump_expected() */
	bool trusts_syncs;    /* work that a sync proved finished is excluded */
	uint64_t n;           /* number of candidates */
	uint64_t n_sure;      /* candidates that are COREDUMP_SURE */
	uint64_t n_unordered; /* work of unknown order that may have started */
	bool is_complete;     /* the journal has the record of every candidate, and its order */
	uint32_t n_kept;
	struct coredump_candidate kept[VERDICT_MAX_SUSPECTS]; /* best first */
};
static_assert(sizeof(struct coredump_join) % sizeof(uint64_t) == 0, "what follows is aligned");

/*
 * Search the journal. If a candidate was found, mark the open work that the dump rules out. Call
 * this after limits_find().
 */
void coredump_join(struct progress *progress, const struct gpu_fault *fault,
		   struct coredump_join *out);

/* True if the dump alone proves that the one candidate caused the failure. */
bool coredump_convicts(const struct progress *progress, const struct coredump_join *join);

#endif
