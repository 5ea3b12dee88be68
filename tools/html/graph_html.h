/*
 * graph_html.h - the nodes of the graph that the first suspect launched.
 */
#ifndef CULPRIT_TOOLS_GRAPH_HTML_H
#define CULPRIT_TOOLS_GRAPH_HTML_H

#include "html/html_report.h"

/* Is there anything to show? */
bool html_graph_is_there(const struct html_report *report);

void html_graph(const struct html_report *report);

#endif
