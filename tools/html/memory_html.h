/*
 * memory_html.h - the map of memory around the pointers that the first suspect was given.
 */
#ifndef CULPRIT_TOOLS_MEMORY_HTML_H
#define CULPRIT_TOOLS_MEMORY_HTML_H

#include "html/html_report.h"

void html_memory(const struct html_report *report);

#endif
