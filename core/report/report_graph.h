/*
 * report_graph.h - lines about the nodes of a graph that is the first suspect.
 */
#ifndef CULPRIT_VERDICT_REPORT_GRAPH_H
#define CULPRIT_VERDICT_REPORT_GRAPH_H

#include "report/page.h"

/* Add lines about the nodes that caused the failure, or may have. */
void report_add_graph(struct page *page);

/* Append the headline's part about the nodes to the current line. */
void report_add_graph_headline(struct page *page);

#endif
