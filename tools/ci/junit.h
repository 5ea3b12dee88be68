/*
 * junit.h - findings as test results: a failed case for each finding, or one passed case without
 * findings.
 */
#ifndef CULPRIT_TOOLS_JUNIT_H
#define CULPRIT_TOOLS_JUNIT_H

#include "ci/findings.h"

int junit_print(const struct ci_findings *findings, FILE *out);

#endif
