/*
 * lines_html.h - print the lines of the text report, with links to the parts of the page they name.
 */
#ifndef CULPRIT_TOOLS_LINES_HTML_H
#define CULPRIT_TOOLS_LINES_HTML_H

#include "html/html_report.h"

/* Print all lines of the full report. */
void html_lines(const struct html_report *report);

#endif
