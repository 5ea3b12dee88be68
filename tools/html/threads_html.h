/*
 * threads_html.h - print the threads that used the GPU, and the last call of each.
 */
#ifndef CULPRIT_TOOLS_THREADS_HTML_H
#define CULPRIT_TOOLS_THREADS_HTML_H

#include "html/html_report.h"

void html_threads(const struct html_report *report);

#endif
