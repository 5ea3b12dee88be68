/*
 * report_graph.h - the lines about the nodes of a graph that is the first suspect.
 */
#ifndef CULPRIT_VERDICT_REPORT_GRAPH_H
#define CULPRIT_VERDICT_REPORT_GRAPH_H

#include "verdict/report/page.h"

/* Which of its nodes did it, or may have. */
void report_add_graph(struct page *page);

/* What the headline says of them, in the line that was begun. */
void report_add_graph_headline(struct page *page);

#endif
