/*
 * report_page.h - make a page from a report's input, and lines of text from a page.
 */
#ifndef CULPRIT_REPORT_REPORT_PAGE_H
#define CULPRIT_REPORT_REPORT_PAGE_H

#include "base/text.h"
#include "report/page.h"

/*
 * Fill the page. It points into what *report points to, which must outlive it. Only the page's
 * memory is used. Any thread.
 */
void report_page(const struct report *report, struct page *out);

/* Enough bytes for every report, because its lists are bounded. */
enum { REPORT_TEXT_SIZE = 64 * 1024 };

/* Return "culprit: <error> — <verdict>: <suspect>", no newline; the page owns it. Any thread. */
const char *report_headline(const struct page *page);

/* Append the headline and the lines below it, each with a newline. Any thread. */
void report_text(const struct page *page, struct text *out);

#endif
