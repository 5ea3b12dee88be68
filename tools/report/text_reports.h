/*
 * text_reports.h - the text reports of many processes, in the order in which people read them: of a
 * job the one that failed first, and of those that only followed a line each; of one mistake one.
 */
#ifndef CULPRIT_TOOLS_TEXT_REPORTS_H
#define CULPRIT_TOOLS_TEXT_REPORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/analysis.h"

struct text_reports;

/* NULL: out of memory. */
struct text_reports *text_reports_open(void);

/* One more: the stored one of the bundle, or the analysis's own. 0 or -errno. */
int text_reports_add(struct text_reports *reports, const struct analysis *analysis, bool is_stored);

/* One of which nothing is known but its text, which is copied. 0 or -ENOMEM. */
int text_reports_add_text(struct text_reports *reports, const char *text, size_t size);

/* All of them, an empty line between two. 0 or -ENOMEM. */
int text_reports_print(struct text_reports *reports, FILE *out);
void text_reports_close(struct text_reports *reports);

#endif
