/*
 * suspects_html.h - print the suspects, each with its full name, stream, thread and stack.
 */
#ifndef CULPRIT_TOOLS_SUSPECTS_HTML_H
#define CULPRIT_TOOLS_SUSPECTS_HTML_H

#include "html/html_report.h"

void html_suspects(const struct html_report *report);

#endif
