/*
 * code_clues.h - what the code of kernels rules out, and what it hints at. Private to this folder.
 */
#ifndef CULPRIT_VERDICT_CODE_CLUES_H
#define CULPRIT_VERDICT_CODE_CLUES_H

#include "attribution/attribution_facts.h"
#include "attribution/graph_claim.h"
#include "fault/fault_story.h"
#include "progress/progress.h"

/*
 * Mark the open work whose kernel cannot have raised the moment's code (rule 12). If the code is
 * the one that a trap raises (a launch failed, without a reason), also mark the kernels that have a
 * trap.
 */
void code_mark_work(struct progress *progress, const struct attribution_facts *facts);

/* Clues from the fault: the driver's rows about it, and the code around it. */
struct fault_clues {
	struct fault_story story;
	struct code_extents extents;
	const struct attribution_facts *facts;
	bool clears;        /* program counters clear kernels (rule 15) */
	bool clears_copies; /* and other work that this version knows */
};

/* Read the clues of the bundle about this moment. `facts` must outlive them. */
void fault_clues_read(const struct bundle_view *view, const struct moment *moment,
		      const struct attribution_facts *facts, struct fault_clues *out);

/* True if something that may have started is cleared by what the driver said of the fault. */
bool fault_has_cleared(const struct progress *progress);

/*
 * Mark the open work that runs other code than that of the fault, and the work that runs it. Sets
 * progress->is_fault_used to false and marks nothing if rule 15f or 16c forbids it.
 */
void fault_mark_work(struct progress *progress, const struct fault_clues *clues);

/*
 * True if each program counter is in code that a suspect runs (LEVEL_STRICT), or if a suspect may
 * launch kernels itself.
 */
bool fault_is_explained(const struct progress *progress, const struct fault_clues *clues);

/*
 * Claim the nodes of a graph's launch that may run the code of the fault. If no node runs it, claim
 * all that can raise the code: if this launch is the culprit, the program counters are wrong.
 */
void fault_claim_node(const struct bundle_view *view, int32_t code,
		      const struct journal_record *record, const struct fault_clues *clues,
		      struct graph_claim *out);

#endif
