/*
 * github.h - findings as annotations of a GitHub workflow, at the user's line, and as the page that
 * a step leaves.
 */
#ifndef CULPRIT_TOOLS_GITHUB_H
#define CULPRIT_TOOLS_GITHUB_H

#include "ci/findings.h"

/* Lines that the runner takes out of a step's output; it shows ten of them. */
int github_print(const struct ci_findings *findings, FILE *out);

/* Markdown, with each report whole; stops before the size from which all of it is dropped. */
int github_print_summary(const struct ci_findings *findings, FILE *out);

#endif
