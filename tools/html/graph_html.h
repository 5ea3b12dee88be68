/*
 * graph_html.h - draw the nodes of the CUDA graph that the first suspect launched.
 */
#ifndef CULPRIT_TOOLS_GRAPH_HTML_H
#define CULPRIT_TOOLS_GRAPH_HTML_H

#include "html/html_report.h"

/* True if the first suspect is a graph launch whose nodes are recorded. */
bool html_graph_is_there(const struct html_report *report);

/* Print the section; nothing if html_graph_is_there() is false. */
void html_graph(const struct html_report *report);

#endif
