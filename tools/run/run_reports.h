/*
 * run_reports.h - after a run: finds the bundles that its processes left and reports their
 * failures.
 */
#ifndef CULPRIT_TOOLS_RUN_REPORTS_H
#define CULPRIT_TOOLS_RUN_REPORTS_H

#include <stdbool.h>

#include "run/run_end.h"

struct run_summary {
	unsigned n_failures;
	bool has_used_gpu; /* some process submitted work, or may do so yet */
};

/*
 * Brings in what the run's processes left in memory, reports every failure among their bundles, the
 * earliest first, and removes the bundles of processes that ended without one and could not do it
 * themselves.
 */
struct run_summary run_reports(const struct run_end *end);

/* The same without a look at any disk: of what the run's processes have told themselves. */
struct run_summary run_reports_told(const struct run_end *end);

#endif
