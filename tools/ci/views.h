/*
 * views.h - findings in the formats that build servers read. Each view is valid even without
 * findings. Untrusted names are escaped for the format.
 */
#ifndef CULPRIT_TOOLS_CI_VIEWS_H
#define CULPRIT_TOOLS_CI_VIEWS_H

#include "ci/ci_parts.h"

enum ci_view { CI_JUNIT, CI_SARIF, CI_GITLAB, CI_GITHUB, CI_MARKDOWN, N_CI_VIEWS };

/* Prints one view. Errors are left in the stream (ferror()). Returns 0 or -ENOMEM. */
int ci_view_print(enum ci_view view, const struct ci_findings *findings, FILE *out);

/* Appends to the summary page of a step, which GITHUB_STEP_SUMMARY names. Returns 0 or -errno. */
int ci_view_summarise(const struct ci_findings *findings, const char *path);

#endif
