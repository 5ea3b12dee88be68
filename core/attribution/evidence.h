/*
 * evidence.h - the part of a verdict that explains it: lines of evidence and states of streams.
 * Private to this folder.
 */
#ifndef CULPRIT_ATTRIBUTION_EVIDENCE_H
#define CULPRIT_ATTRIBUTION_EVIDENCE_H

#include "attribution/clue_parts.h"
#include "attribution/coredump_join.h"
#include "attribution/verdict.h"
#include "progress/progress.h"

/*
 * The attribution's findings, in numbers. A suspect is unfinished ("open"), able to raise the code,
 * and may have started ("not blocked").
 */
struct tally {
	uint64_t n_open;
	uint64_t n_doubtful;          /* suspects that may have been rejected: attribution.h, 9 */
	uint64_t n_cleared_by_class;  /* open, but unable to raise the code */
	uint64_t n_cleared_by_code;   /* the same, by their kernels' code */
	uint64_t n_cleared_by_memory; /* the same, by the memory that they use */
	uint64_t n_cleared_by_fault;  /* the same, by what the driver said of the fault */
	uint64_t n_cleared_by_time;   /* the same, by its time alone */
	const struct fault_clues *fault; /* NULL: not used */
	bool is_fault_refused;           /* it contradicts the rest */
	uint64_t n_late;                 /* finished, and may have raised the exception */
	uint64_t n_suspects;
	uint64_t n_unlikely;       /* suspects that LIKELY leaves out by the address alone */
	uint64_t n_lagging;        /* suspects that only a missing side marker holds back */
	uint64_t n_lost_startable; /* without a record, and may have started */
	uint64_t n_lost;           /* without a record */
	uint64_t n_unplaced;       /* of no known stream or order */
	bool is_silent;  /* the counters left one strict suspect, not known to have started */
	bool has_unseen; /* work that culprit did not see may have failed: attribution.h, 14 */
};

/* Fill the streams and the evidence of a verdict whose class and suspects are set. */
void evidence_fill(const struct progress *progress, const struct tally *tally,
		   enum order_level level, struct verdict *verdict);

/* Add what a core dump of this failure says. Call this before evidence_fill(): it comes first. */
void evidence_add_coredump(const struct coredump_join *join, struct verdict *verdict);

/* Add that the core dump is not of this failure, or of no failure at all. */
void evidence_add_foreign_coredump(struct verdict *verdict);

#endif
