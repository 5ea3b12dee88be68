/*
 * lines_html.h - print the lines of the text report, with links to the parts of the page they name.
 */
#ifndef CULPRIT_TOOLS_LINES_HTML_H
#define CULPRIT_TOOLS_LINES_HTML_H

#include "html/html_report.h"

/* Print the headline. */
void html_headline(const struct html_report *report);

/* Print all lines below the headline. */
void html_lines(const struct html_report *report);

#endif
