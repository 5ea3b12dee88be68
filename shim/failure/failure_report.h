/*
 * failure_report.h - the verdict on this process's failure, and its texts.
 *
 * Concurrency: view, verdict, page and text are static, because they are too big for the stack of
 * a host's thread. They belong to the attributing thread (see failure.h), which calls in here once.
 * Other threads read only the headline, after that thread has published STATE_REPORTED.
 */
#ifndef CULPRIT_FAILURE_FAILURE_REPORT_H
#define CULPRIT_FAILURE_FAILURE_REPORT_H

#include <stdbool.h>

#include "base/journal_format.h"
#include "base/settings.h"
#include "coredump/gpu_fault.h"

/*
 * Note whether a tool prints the report at the end, so that one line is enough here, and how long a
 * report is wanted. Start-up only.
 */
void failure_report_start(bool is_run, enum report_length length);

/*
 * Attribute the failure, write the verdict into the bundle and print it. `row` is the bundle's
 * failure row, or what it would be if there had been room. `fault` is the core dump's, or NULL. The
 * attributing thread only, once.
 */
void failure_report_make(const struct failure_row *row, const struct gpu_fault *fault);

/*
 * Return a short name of the work that the verdict blames, and the verdict's word; "" and "" if it
 * blames none. Valid as the headline is. Any thread.
 */
const char *failure_report_culprit(const char **out_verdict);

/* Return one line without its newline; "" if there is none. After STATE_REPORTED. Any thread. */
const char *failure_report_headline(void);

#endif
