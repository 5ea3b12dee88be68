/*
 * report_origin.h - the lines about the code that submitted something, or tried to.
 */
#ifndef CULPRIT_VERDICT_REPORT_ORIGIN_H
#define CULPRIT_VERDICT_REPORT_ORIGIN_H

#include "verdict/report/page.h"

/* "launched from" and below. */
void report_add_origin(struct page *page, uint32_t stack);

/*
 * How long the first suspect ran, and what its kernel took before: of a kernel that the driver
 * ended because it took too long, else nothing.
 */
void report_add_run_time(struct page *page);

/* A line: what is unlike earlier launches in the first suspect, if anything is. */
void report_add_unusual(struct page *page);

/* "refused": what the driver did not take, and why; the program may not have looked at its answer.
 */
void report_add_refusals(struct page *page);

/*
 * Lines: which submissions before it had the memory that the launch was given, the newest first;
 * none where `page` has no arguments. After report_add_arguments().
 */
void report_add_producers(struct page *page, const struct submission *submission);

#endif
