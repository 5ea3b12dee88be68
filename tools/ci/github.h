/*
 * github.h - findings as annotations of a GitHub workflow, at the user's line, and as the summary
 * page of a step.
 */
#ifndef CULPRIT_TOOLS_GITHUB_H
#define CULPRIT_TOOLS_GITHUB_H

#include "ci/findings.h"

/* Prints lines that the runner takes from a step's output. It shows ten of them. */
int github_print(const struct ci_findings *findings, FILE *out);

/*
 * Prints Markdown with complete reports. Stops before the size limit, above which the whole page is
 * dropped.
 */
int github_print_summary(const struct ci_findings *findings, FILE *out);

#endif
