/*
 * brief_html.h - print the short report: the headline, the user's source, and rows.
 */
#ifndef CULPRIT_TOOLS_BRIEF_HTML_H
#define CULPRIT_TOOLS_BRIEF_HTML_H

#include "html/html_report.h"

/* Print the headline, and what the short report says below it, unless the report is a saved text.
 */
void html_brief(struct html_report *report);

#endif
