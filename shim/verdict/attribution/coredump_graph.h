/*
 * coredump_graph.h - the launch of a graph and what a core dump says has faulted. Private to this
 * folder.
 */
#ifndef CULPRIT_VERDICT_COREDUMP_GRAPH_H
#define CULPRIT_VERDICT_COREDUMP_GRAPH_H

#include <stdint.h>

#include "verdict/attribution/coredump_clues.h"
#include "verdict/attribution/graph_claim.h"

/* Can this launch of a graph be what faulted, by its nodes? */
enum coredump_fit coredump_fit_graph(const struct coredump_clues *clues,
				     const struct journal_record *record);

/* The claim on a graph launch's node, with what the dump (NULL none) tells of it. */
void coredump_claim_node(const struct bundle_view *view, const struct gpu_fault *fault,
			 int32_t code, const struct journal_record *record,
			 struct graph_claim *out);

#endif
