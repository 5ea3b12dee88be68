/*
 * run_views.h - what a run leaves for a build server.
 */
#ifndef CULPRIT_TOOLS_RUN_VIEWS_H
#define CULPRIT_TOOLS_RUN_VIEWS_H

#include <stdbool.h>

#include "ci/findings.h"
#include "command/options.h"

/*
 * Writes the files that the options name, also of a run without a failure; says in a line each
 * which it could not. Annotations go to standard error, but with `is_quiet`. Frees the findings.
 */
void run_views_write(const struct arguments *arguments, struct ci_findings *findings,
		     bool is_quiet);

#endif
