/*
 * markdown.h - findings as Markdown, for an issue, a chat or the summary page of a workflow's step.
 */
#ifndef CULPRIT_TOOLS_MARKDOWN_H
#define CULPRIT_TOOLS_MARKDOWN_H

#include "ci/findings.h"

/*
 * Prints for each finding its headline, place and short report, and the full report, folded.
 * Foreign names are within code, where nothing but its end is Markdown. Stops at 900 KiB: GitHub
 * drops a larger page.
 */
int markdown_print(const struct ci_findings *findings, FILE *out);

#endif
