/*
 * github.h - findings as annotations of a GitHub workflow, at the user's line.
 */
#ifndef CULPRIT_TOOLS_GITHUB_H
#define CULPRIT_TOOLS_GITHUB_H

#include "ci/findings.h"

/* Prints lines that the runner takes from a step's output. It shows ten of them. */
int github_print(const struct ci_findings *findings, FILE *out);

#endif
