/*
 * text_reports.h - the text reports of many processes, in reading order. The rank of a job that
 * failed first has a report, and each rank that only followed has a line. Reports of the same
 * mistake are shown once.
 */
#ifndef CULPRIT_TOOLS_TEXT_REPORTS_H
#define CULPRIT_TOOLS_TEXT_REPORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/analysis.h"
#include "base/settings.h"

struct text_reports;

/* Returns NULL if out of memory. */
struct text_reports *text_reports_open(void);

/* Adds a report: the one stored in the bundle, or the analysis's own. Returns 0 or -errno. */
int text_reports_add(struct text_reports *reports, const struct analysis *analysis,
		     enum report_length length, bool is_stored);

/* Adds a report of which only the text is known, and copies it. Returns 0 or -ENOMEM. */
int text_reports_add_text(struct text_reports *reports, const char *text, size_t size);

/* Prints all reports, separated by empty lines. Returns 0 or -ENOMEM. */
int text_reports_print(struct text_reports *reports, FILE *out);
void text_reports_close(struct text_reports *reports);

#endif
