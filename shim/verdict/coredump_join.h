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

#include "attribution.h"
#include "gpu_fault.h"
#include "progress.h"

enum coredump_fit { COREDUMP_RULED_OUT, COREDUMP_POSSIBLE, COREDUMP_SURE };

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
	const struct gpu_fault *fault;
	int32_t code;        /* of the failure */
	uint64_t expected;   /* see coredump_expected */
	bool trusts_syncs;   /* what a sync said to have finished is no candidate */
	bool is_application; /* all that faulted is code of kernels that the application launched */
	uint32_t naming_grids;           /* see coredump_naming_grids */
	uint64_t n[N_ORDER_LEVELS];      /* submissions that can be it */
	uint64_t n_sure[N_ORDER_LEVELS]; /* of those, COREDUMP_SURE */
	bool is_complete;                /* no record of one that could be it is missing */
	uint32_t n_kept[N_ORDER_LEVELS];
	struct coredump_candidate kept[N_ORDER_LEVELS][VERDICT_MAX_SUSPECTS]; /* best first */
};
static_assert(sizeof(struct coredump_join) % sizeof(uint64_t) == 0, "what follows is aligned");

/* Is all that faulted code of kernels in the journal? The driver's own do copies and memsets. */
bool coredump_is_application(const struct bundle_view *view, const struct gpu_fault *fault);

/* Is it as kernels of the driver's own are called? The application may have some of that name. */
bool coredump_is_drivers_name(const char *kernel);

/*
 * The driver's kernels among the grids, a bit for each, whose parameters have the addresses of a
 * copy or memset in the journal.
 */
uint32_t coredump_naming_grids(const struct bundle_view *view, const struct gpu_fault *fault);

/* Can this submission, in ring `slot`, be what faulted? */
enum coredump_fit coredump_fit(const struct bundle_view *view, const struct coredump_join *join,
			       uint32_t slot, const struct journal_record *record);

/* The same for a copy, a memset or a memory operation, by its addresses. */
enum coredump_fit coredump_fit_memory(const struct bundle_view *view,
				      const struct coredump_join *join,
				      const struct journal_record *record);

/* The same for the launch of a graph, by its nodes. */
enum coredump_fit coredump_fit_graph(const struct bundle_view *view,
				     const struct coredump_join *join,
				     const struct journal_record *record);

/*
 * Is the grid as that of a cooperative launch is told: as one block, or one cluster, however many
 * it has? (Driver 580.159, launches of 2 to 100 blocks.)
 */
bool coredump_is_cooperative_grid(const struct gpu_grid *grid);

/* Is it the context of that handle in a dump, which has a green context's work in its primary? */
bool coredump_is_context(const struct bundle_view *view, const struct context_row *context,
			 uint64_t handle);

/* Was the submission made in that context, which still lived at the failure? False: not known. */
bool coredump_is_in_context(const struct bundle_view *view, const struct journal_record *record,
			    uint64_t handle);

/* The claim on a graph launch's node, with what the dump (NULL none) tells of it. */
void coredump_claim_node(const struct bundle_view *view, const struct gpu_fault *fault,
			 int32_t code, const struct journal_record *record,
			 struct graph_claim *out);

/*
 * The submission that the number of the faulting grid points to, 0 if that cannot be told. For the
 * order of suspects alone.
 */
uint64_t coredump_expected(const struct progress *progress, const struct gpu_fault *fault);

/*
 * Searches the journal, and if anything was found marks the open work that the dump rules out.
 * After progress_limit.
 */
void coredump_join(struct progress *progress, const struct gpu_fault *fault,
		   struct coredump_join *out);

/* Does the dump alone prove that the one candidate did it? */
bool coredump_convicts(const struct progress *progress, const struct coredump_join *join);

/* The place on the device where this submission faulted, NULL if the dump does not say. */
const struct gpu_place *coredump_place(const struct bundle_view *view,
				       const struct gpu_fault *fault,
				       const struct submission *submission);

#endif
