/*
 * json_reports.h - the JSON of several reports. From the first rank of a job on they are kept until
 * all are known, since each says what its process is in its job.
 */
#ifndef CULPRIT_TOOLS_JSON_REPORTS_H
#define CULPRIT_TOOLS_JSON_REPORTS_H

#include <jansson.h>
#include <stdio.h>

#include "analysis/analysis.h"

struct json_reports;

/* Returns NULL if out of memory. Reports are printed to `out`. */
struct json_reports *json_reports_open(FILE *out);
void json_reports_close(struct json_reports *reports);

/* Adds the report of the analysis. The caller keeps it. Returns 0 or -ENOMEM. */
int json_reports_add(struct json_reports *reports, json_t *report, const struct analysis *analysis);

/* Adds a report that was made elsewhere, with a final newline. */
int json_reports_add_text(struct json_reports *reports, const char *text, size_t size);

/*
 * Prints those that were kept: one report per line, in the order in which they were added. Returns
 * 0 or -ENOMEM.
 */
int json_reports_print(struct json_reports *reports);

#endif
