/*
 * verdict_case.h - a synthetic failure: a builder with one context, one thread and a failure, and
 * the verdict on it. For tests of the attribution.
 */
#ifndef CULPRIT_TESTS_VERDICT_CASE_H
#define CULPRIT_TESTS_VERDICT_CASE_H

#include "attribution/attribution.h"
#include "progress/progress.h"
#include "support/bundle_builder.h"

enum { CASE_TID = 100 };

struct verdict_case {
	struct bundle_builder builder;
	struct bundle_view view;
	struct verdict verdict;
	uint32_t context;
	uint32_t n_streams;  /* by case_stream: their handles are 0x5000, 0x5010, ... */
	bool is_failed_late; /* by case_judge: the failure comes after all that was added */
};

struct verdict_case *case_begin(void);        /* one at a time */
uint32_t case_stream(struct verdict_case *c); /* explicit and non-blocking */

/* n kernels by CASE_TID; returns the number of the first. */
uint64_t case_launch(struct verdict_case *c, uint32_t stream, uint32_t n);

/* The same, each with these flags. */
uint64_t case_launch_flagged(struct verdict_case *c, uint32_t stream, uint32_t n, uint16_t flags);

/* The record of a submission in the first ring; NULL if it was overwritten. */
struct journal_record *case_find(struct verdict_case *c, uint64_t sequence);

/* Fails with `code` after all so far, unless the test itself has failed, and attributes. */
const struct verdict *case_judge(struct verdict_case *c, int32_t code);

/* The first evidence of this kind, NULL if there is none. */
const struct evidence *case_evidence(const struct verdict_case *c, enum evidence_kind kind);

/* Is this submission among the suspects? */
bool case_suspects(const struct verdict_case *c, uint64_t sequence);

void case_end(struct verdict_case *c);

enum { ILLEGAL_ADDRESS = 700, UNCORRECTABLE = 214, ASSERT = 710 };

#define CHECK_VERDICT(c, class_, sequence_)                                       \
	do {                                                                      \
		CHECK_EQUAL((c)->verdict.class, class_);                          \
		CHECK_EQUAL((c)->verdict.suspects[0].record.sequence, sequence_); \
		CHECK_EQUAL((c)->verdict.unknown_reason, UNKNOWN_NOT);            \
	} while (0)

/* The verdict is unknown, for this reason, and names no suspect. */
void case_check_unknown(const struct verdict_case *c, enum unknown_reason reason);

/* Reads how far the case's work is at a moment. Returns the scratch memory, which the caller frees.
 */
void *case_read_progress(struct verdict_case *c, const struct moment *moment, struct progress *out);

#endif
