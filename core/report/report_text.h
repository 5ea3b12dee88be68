/*
 * report_text.h - a report as lines of text for a terminal or a log.
 */
#ifndef CULPRIT_VERDICT_REPORT_TEXT_H
#define CULPRIT_VERDICT_REPORT_TEXT_H

#include "base/text.h"
#include "report/page.h"

/* Enough bytes for every report, because its lists are bounded. */
enum { REPORT_TEXT_SIZE = 64 * 1024 };

/* Return "culprit: <error> — <verdict>: <suspect>", no newline; the page owns it. Any thread. */
const char *report_headline(const struct page *page);

/* Append the headline and the lines below it, each with a newline. Any thread. */
void report_text(const struct page *page, struct text *out);

#endif
