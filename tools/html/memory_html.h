/*
 * memory_html.h - draw the memory around the first suspect's pointer arguments.
 */
#ifndef CULPRIT_TOOLS_MEMORY_HTML_H
#define CULPRIT_TOOLS_MEMORY_HTML_H

#include "html/html_report.h"

void html_memory(const struct html_report *report);

#endif
