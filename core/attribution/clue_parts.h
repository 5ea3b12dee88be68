/*
 * clue_parts.h - clues from the fault to the work that caused it, one group for each part of the
 * driver's report. Private to this folder.
 */
#ifndef CULPRIT_ATTRIBUTION_CLUE_PARTS_H
#define CULPRIT_ATTRIBUTION_CLUE_PARTS_H

#include "attribution/attribution_facts.h"
#include "attribution/graph_claim.h"
#include "attribution/verdict.h"
#include "fault/fault_story.h"
#include "progress/progress.h"
#include "view/record_walk.h"

/*
 * code_clues.c: what the code of kernels rules out, and what it hints at.
 */

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
	bool are_pcs_usable; /* so finished work may have raised the exception (rule 15g) */
	bool clears;         /* program counters clear kernels (rule 15) */
	bool clears_copies;  /* and other work that this version knows */
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
 * True if a launch, or a node of a graph's, can have been at one of the program counters, and can
 * seem to have succeeded all the same: rule 15g.
 */
bool fault_may_be_of(const struct progress *progress, const struct journal_record *record,
		     const struct fault_clues *clues);

/*
 * Set *out to where the GPU stopped in the code of a kernel, if it is the only one whose address
 * may be known. Something else must have proven that it failed: this proves nothing.
 */
void fault_place_alone(const struct bundle_view *view, const struct fault_clues *clues,
		       uint32_t function, struct code_location *out);

/*
 * Claim the nodes of a graph's launch that may run the code of the fault. If no node runs it, claim
 * all that can raise the code: if this launch is the culprit, the program counters are wrong.
 */
void fault_claim_node(const struct bundle_view *view, int32_t code,
		      const struct journal_record *record, const struct fault_clues *clues,
		      struct graph_claim *out);

/*
 * Claim the node of a graph's launch without the nodes that cannot have raised the code (rule 12a).
 * False: the rule clears none, or all of them, and *out is undefined.
 */
bool code_claim_node(const struct progress *progress, const struct fault_clues *clues,
		     const struct journal_record *record, struct graph_claim *out);

/*
 * address_clues.c: prefer the work from whose arguments the fault's address follows: rule 16c of
 * attribution.h.
 */

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

/*
 * time_clues.c: clear kernels that the GPU started after it had noticed the fault: rule 17 of
 * attribution.h.
 */

/*
 * Mark such open work as elsewhere, and as later than the fault. Without a story of memory faults
 * alone, or without their times, this has no effect.
 */
void time_mark_work(struct progress *progress, const struct fault_story *story);

/*
 * Return by how many nanoseconds CLOCK_MONOTONIC is ahead of the GPU's clock at least: work starts
 * after its call. INT64_MIN: no kernel's start is known.
 */
int64_t time_least_apart(const struct progress *progress);

/*
 * late_clues.c and late_times.c: rules 15g and 15h of attribution.h.
 */

/*
 * A driver needs longer than this from a submission that raises an exception until that seems to
 * have finished. H100, driver 580.159.04, in 644 failures: 2.4 ms and more; once, when 15 other
 * processes failed at the same time, 0.5 ms.
 */
#define LATE_MARGIN_NS INT64_C(250000)

/*
 * The same until its channel starts a kernel that had to wait for it. On the same card, in 24
 * failures: 9 ms and more.
 */
#define FOLLOWER_MARGIN_NS INT64_C(1000000)

/*
 * Find the finished work that may have raised the exception, as progress->late. Call it once after
 * progress_read(), when all that has finished is known.
 */
void late_find(struct progress *progress, const struct fault_clues *clues);

/*
 * Return when the thread of the record at that place wrote its next one: its call had returned by
 * then. 0: it wrote none. The arguments of a launch come before its record, and have no time.
 */
uint64_t late_next_time(const struct bundle_view *view, uint32_t slot, uint64_t position);

/*
 * True if the channel of the finished kernel has started its inline marker, which waited for its
 * end: the marker had landed when the counters were read.
 */
bool late_has_marker_started(const struct progress *progress, const struct journal_record *work);

/*
 * True if the newest start of the channel surely came before a driver can have recovered from an
 * exception of the work: within the margin after its submission.
 */
bool late_has_finished_soon(const struct progress *progress, const struct journal_record *work,
			    uint32_t channel, int64_t margin_ns);

#endif
