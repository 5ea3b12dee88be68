/*
 * views.h - findings in the forms that build servers read. Each is valid also without any finding;
 * what others named is made harmless for the form.
 */
#ifndef CULPRIT_TOOLS_CI_VIEWS_H
#define CULPRIT_TOOLS_CI_VIEWS_H

#include "ci/findings.h"

enum ci_view { CI_JUNIT, CI_SARIF, CI_GITLAB, CI_GITHUB, N_CI_VIEWS };

/* Prints one view; trouble shows in the stream, as with all output. 0 or -ENOMEM. */
int ci_view_print(enum ci_view view, const struct ci_findings *findings, FILE *out);

/* Adds to the page of a step, which GITHUB_STEP_SUMMARY names. 0 or -errno. */
int ci_view_summarise(const struct ci_findings *findings, const char *path);

#endif
