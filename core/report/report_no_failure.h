/*
 * report_no_failure.h - lines about a bundle without a failure: work that hung, or how the process
 * ended.
 */
#ifndef CULPRIT_VERDICT_REPORT_NO_FAILURE_H
#define CULPRIT_VERDICT_REPORT_NO_FAILURE_H

#include "report/page.h"

/*
 * Append the claim of a bundle without a failure to the headline. It never claims that the GPU did
 * not fail, because calls may have bypassed culprit.
 */
void report_add_no_failure(struct page *page);

/*
 * Append how the process ended: "killed by signal 9 while spin ran", or, if it is not known what
 * had started, "killed by signal 9 with 2 submissions unfinished".
 */
void report_add_process_end(struct page *page);

/*
 * Append the report's refusal to the headline: "out of memory: cuMemAlloc_v2 of 30.0 GiB at
 * train.c:48 load".
 */
void report_add_refusal(struct page *page);

/* Add lines about the report's refusal: the call and its stack, and of memory who holds it. */
void report_add_refusal_lines(struct page *page);

/*
 * Append "#233 spin", and get the submission's record. If the record is lost, append its number
 * alone, and get a record with nothing else.
 */
void report_add_submission(struct page *page, uint64_t sequence, struct journal_record *out);

/* Append the verdict's hang to the headline: "hung - exact: launch #233, spin at train.c:48". */
void report_add_hang(struct page *page);

/* Add a line for each stream of the verdict's claim: what kept it, and for how long. */
void report_add_hang_evidence(struct page *page);

#endif
