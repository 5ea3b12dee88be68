/*
 * graph_case.h - a verdict_case whose culprit is the launch of one graph.
 */
#ifndef CULPRIT_TESTS_GRAPH_CASE_H
#define CULPRIT_TESTS_GRAPH_CASE_H

#include "attribution/graph_claim.h"
#include "support/graph_builder.h"
#include "support/verdict_case.h"

enum { GRAPH_CASE_HANDLE = 0x9000 };

struct graph_case {
	struct verdict_case *c; /* end it with case_end() */
	uint32_t stream, graph;
};

/* One graph with nodes of these kinds of work (enum work_kind and NODE_WORK_...). */
struct graph_case graph_case_begin(const uint8_t *works, uint32_t n);

/* Returns the row of one of its nodes. The test may change it. */
struct graph_node_row *graph_case_node(struct graph_case *g, uint32_t index);

/* Launches it at `version` on a stream that then fails with `code`, and judges that. */
const struct graph_claim *graph_case_judge(struct graph_case *g, uint32_t version, int32_t code);

#endif
