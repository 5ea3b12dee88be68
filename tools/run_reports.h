/*
 * run_reports.h - after a run: finds the bundles that its processes left and reports their
 * failures.
 */
#ifndef CULPRIT_TOOLS_RUN_REPORTS_H
#define CULPRIT_TOOLS_RUN_REPORTS_H

#include <stdbool.h>

/*
 * Reports every failure among the bundles in `directory` whose meta.json names the run `run_id`,
 * the earliest failure first, to the file `report_path` (NULL: to standard error), which is made
 * only if there is something to write. With `is_quiet` nothing goes to standard error. Returns how
 * many failures there are.
 */
unsigned run_reports(const char *directory, const char *run_id, const char *report_path,
		     bool is_quiet);

#endif
