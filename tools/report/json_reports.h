/*
 * json_reports.h - the JSON of several reports: kept until all are known, since each names what it
 * is in its job.
 */
#ifndef CULPRIT_TOOLS_JSON_REPORTS_H
#define CULPRIT_TOOLS_JSON_REPORTS_H

#include <jansson.h>
#include <stdio.h>

#include "analysis/analysis.h"

struct json_reports;

/* NULL: no memory. */
struct json_reports *json_reports_open(void);
void json_reports_close(struct json_reports *reports);

/* The report, which stays the caller's, of the analysis. 0 or -ENOMEM. */
int json_reports_add(struct json_reports *reports, json_t *report, const struct analysis *analysis);

/* A report that was made elsewhere, with its end of line. */
int json_reports_add_text(struct json_reports *reports, const char *text, size_t size);

/* A line each, in the order in which they were added. 0 or -ENOMEM. */
int json_reports_print(struct json_reports *reports, FILE *out);

#endif
