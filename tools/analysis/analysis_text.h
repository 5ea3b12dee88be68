/*
 * analysis_text.h - the text of a report, short or full.
 */
#ifndef CULPRIT_TOOLS_ANALYSIS_TEXT_H
#define CULPRIT_TOOLS_ANALYSIS_TEXT_H

#include <stdio.h>

#include "analysis/analysis.h"
#include "base/settings.h"

/*
 * Prints the report as lines, and on standard error one line for each module whose symbols are
 * missing. Returns 0, or -errno if the output fails or memory runs out.
 */
int analysis_text_print(const struct analysis *analysis, enum report_length length, FILE *out);

/* Append the short report, with the source of the user's line unless the bundle is redacted. */
void analysis_text_short(const struct analysis *analysis, struct text *out);

/* Return the length that CULPRIT_REPORT asks for. Start-up only. */
enum report_length analysis_text_length(void);

#endif
