/*
 * junit.h - findings as test results: a case for each, that failed; without any one that passed.
 */
#ifndef CULPRIT_TOOLS_JUNIT_H
#define CULPRIT_TOOLS_JUNIT_H

#include "ci/findings.h"

int junit_print(const struct ci_findings *findings, FILE *out);

#endif
