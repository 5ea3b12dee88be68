/*
 * gitlab.h - findings as GitLab's code quality report, which a merge request shows next to the
 * code.
 */
#ifndef CULPRIT_TOOLS_GITLAB_H
#define CULPRIT_TOOLS_GITLAB_H

#include "ci/findings.h"

int gitlab_print(const struct ci_findings *findings, FILE *out);

#endif
