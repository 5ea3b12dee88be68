/*
 * graph_finding.h - what checks of a graph found in one replay: rows of graph-checks that follow
 * each other. The table is not trusted.
 */
#ifndef CULPRIT_CHECKS_GRAPH_FINDING_H
#define CULPRIT_CHECKS_GRAPH_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "view/bundle_view.h"

/* Return the number of rows of the finding whose first row this is, or 1 if some are missing. */
uint32_t graph_finding_count(const struct bundle_view *view, uint32_t first);

/* Return how many of the n rows from `first` on are about the same node as the first. */
uint32_t graph_finding_node(const struct bundle_view *view, uint32_t first, uint32_t n);

/* True if the kernel wrote odd values into the argument in this replay. */
bool graph_finding_is_gain(const struct graph_check_row *row);

/* True if the check before the kernel read only a sample of some of its arguments. */
static inline bool graph_finding_is_sampled(const struct graph_check_row *row)
{
	return row->kib_read < row->kib_given;
}

/*
 * Return the id of the argument among n rows that was odd before its kernel, and most recently; 0:
 * none was. A cause of an earlier replay (before.run) may have been written anew since.
 */
uint32_t graph_finding_cause(const struct bundle_view *view, uint32_t first, uint32_t n);

#endif
