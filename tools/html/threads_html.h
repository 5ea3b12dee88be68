/*
 * threads_html.h - the threads that used the GPU: what each did last, and what it waited in.
 */
#ifndef CULPRIT_TOOLS_THREADS_HTML_H
#define CULPRIT_TOOLS_THREADS_HTML_H

#include "html/html_report.h"

void html_threads(const struct html_report *report);

#endif
