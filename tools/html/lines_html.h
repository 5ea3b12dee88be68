/*
 * lines_html.h - the words of the text report, with links to what they speak of.
 */
#ifndef CULPRIT_TOOLS_LINES_HTML_H
#define CULPRIT_TOOLS_LINES_HTML_H

#include "html/html_report.h"

/* The headline alone, in its element. */
void html_headline(const struct html_report *report);

/* All lines below it. */
void html_lines(const struct html_report *report);

#endif
