/*
 * run_reports.h - after a run, finds the bundles that its processes left and reports their
 * failures.
 */
#ifndef CULPRIT_TOOLS_RUN_REPORTS_H
#define CULPRIT_TOOLS_RUN_REPORTS_H

#include <stdbool.h>

#include "run/run_end.h"

struct run_summary {
	unsigned n_failures;
	bool has_used_gpu; /* a process submitted work, or may still do so */
};

/*
 * Collects the journals that the run's processes left in memory. Reports every failure among their
 * bundles, the earliest first. Removes the bundles of processes that exited without a failure and
 * could not remove them.
 */
struct run_summary run_reports(const struct run_end *end);

/* The same without any access to a disk: only the reports that the processes sent directly. */
struct run_summary run_reports_print(const struct run_end *end);

/* Write text of reports as fits the output. Return 0, or -errno if nothing could be written. */
int run_reports_write(const struct run_end *end, const char *text, size_t size);

#endif
