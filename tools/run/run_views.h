/*
 * run_views.h - the files that a run writes for a build server.
 */
#ifndef CULPRIT_TOOLS_RUN_VIEWS_H
#define CULPRIT_TOOLS_RUN_VIEWS_H

#include <stdbool.h>

#include "ci/ci_parts.h"
#include "command/options.h"

/*
 * Writes the files that the options name, even for a run without a failure. Prints a line for each
 * file that could not be written. Annotations go to standard error, unless `is_quiet`. Frees the
 * findings.
 */
void run_views_write(const struct arguments *arguments, struct ci_findings *findings,
		     bool is_quiet);

#endif
