/*
 * report_origin.h - lines about the code that submitted work, or tried to.
 */
#ifndef CULPRIT_VERDICT_REPORT_ORIGIN_H
#define CULPRIT_VERDICT_REPORT_ORIGIN_H

#include "report/page.h"

/* Add the line "launched from" and the lines below it. */
void report_add_origin(struct page *page, uint32_t stack);

/*
 * If the driver stopped the first suspect's kernel because it took too long, add how long it ran,
 * and how long earlier launches of the kernel took.
 */
void report_add_run_time(struct page *page);

/* Add a line with the differences of the first suspect from earlier launches, if any. */
void report_add_unusual(struct page *page);

/* Add "refused": calls that the driver rejected, and why. The program may have ignored this. */
void report_add_refusals(struct page *page);

/*
 * Add lines with earlier submissions that had the memory passed to the launch, newest first; none
 * if `page` has no arguments. Call it after report_add_arguments().
 */
void report_add_producers(struct page *page, const struct submission *submission);

#endif
