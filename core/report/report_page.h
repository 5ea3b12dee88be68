/*
 * report_page.h - makes a page from a report's input.
 */
#ifndef CULPRIT_VERDICT_REPORT_PAGE_H
#define CULPRIT_VERDICT_REPORT_PAGE_H

#include "report/page.h"

/*
 * Fill the page. It points into what *report points to, which must outlive it. Only the page's
 * memory is used. Any thread.
 */
void report_page(const struct report *report, struct page *out);

#endif
