/*
 * coredump_graph.h - compare the launch of a graph with what faulted by a core dump. Private to
 * this folder.
 */
#ifndef CULPRIT_VERDICT_COREDUMP_GRAPH_H
#define CULPRIT_VERDICT_COREDUMP_GRAPH_H

#include <stdint.h>

#include "attribution/coredump_clues.h"
#include "attribution/graph_claim.h"

/* Return whether this launch of a graph can be what faulted, by its nodes. */
enum coredump_fit coredump_fit_graph(const struct coredump_clues *clues,
				     const struct journal_record *record);

/* Fill *out with the claim on a graph launch's node, using the dump (NULL: none). */
void coredump_claim_node(const struct bundle_view *view, const struct gpu_fault *fault,
			 int32_t code, const struct journal_record *record,
			 struct graph_claim *out);

#endif
