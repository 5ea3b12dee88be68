/*
 * suspects_html.h - the suspects, each with its whole name and where it came from.
 */
#ifndef CULPRIT_TOOLS_SUSPECTS_HTML_H
#define CULPRIT_TOOLS_SUSPECTS_HTML_H

#include "html/html_report.h"

void html_suspects(const struct html_report *report);

#endif
