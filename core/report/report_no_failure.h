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

/* Append the verdict's hang to the headline: "hung - exact: launch #233, spin at train.c:48". */
void report_add_hang(struct page *page);

/* Add a line for each stream of the verdict's hang: what kept it, and for how long. */
void report_add_hang_evidence(struct page *page);

#endif
