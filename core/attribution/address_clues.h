/*
 * address_clues.h - prefer the work from whose arguments the fault's address follows: rule 16c of
 * attribution.h. Private to this folder.
 */
#ifndef CULPRIT_VERDICT_ADDRESS_CLUES_H
#define CULPRIT_VERDICT_ADDRESS_CLUES_H

#include "attribution/code_clues.h"
#include "attribution/verdict.h"
#include "progress/progress.h"

/*
 * Mark open work by how its arguments fit the address. If the address follows from those of one
 * suspect alone, mark the other work as unlikely. Call it when all suspects are known.
 */
void address_mark_work(struct progress *progress, const struct fault_clues *clues);

/* Let the address only rank the suspects: other work is not unlikely any more. */
void address_only_ranks(struct progress *progress);

/* Prefer a node of the claim in the same way: it comes first, and may be GRAPH_LIKELY. */
void address_claim_node(const struct bundle_view *view, const struct fault_clues *clues,
			struct graph_claim *claim);

#endif
