/*
 * report_page.h - what a report says, as a page.
 */
#ifndef CULPRIT_VERDICT_REPORT_PAGE_H
#define CULPRIT_VERDICT_REPORT_PAGE_H

#include "verdict/report/page.h"

/*
 * Fills the page, which points into what *report points to: that must outlive it. No memory but
 * the page's is used. Any thread.
 */
void report_page(const struct report *report, struct page *out);

#endif
