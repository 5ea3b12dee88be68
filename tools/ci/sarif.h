/*
 * sarif.h - findings as results of a static analysis (SARIF 2.1.0), which code hosts show in the
 * code. The rule is the error, and the location is the user's line.
 */
#ifndef CULPRIT_TOOLS_SARIF_H
#define CULPRIT_TOOLS_SARIF_H

#include "ci/findings.h"

int sarif_print(const struct ci_findings *findings, FILE *out);

#endif
