/*
 * report_text.h - the report as lines of text for a terminal or a log.
 */
#ifndef CULPRIT_VERDICT_REPORT_TEXT_H
#define CULPRIT_VERDICT_REPORT_TEXT_H

#include "base/text.h"
#include "verdict/report/page.h"

/* Enough for every report: lists inside it are bounded. */
enum { REPORT_TEXT_SIZE = 64 * 1024 };

/* One line without its end: "culprit: <error> — <verdict>: <suspect>". The page's. Any thread. */
const char *report_headline(const struct page *page);

/* The headline and the lines below it, each ended by a newline. Any thread. */
void report_text(const struct page *page, struct text *out);

#endif
