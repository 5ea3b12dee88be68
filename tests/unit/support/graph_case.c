/*
 * graph_case.c - builds and judges the launch of one graph.
 */
#include "support/graph_case.h"

struct graph_case graph_case_begin(const uint8_t *works, uint32_t n)
{
	struct graph_case g = {.c = case_begin()};
	g.stream = case_stream(g.c);
	g.graph = builder_graph(&g.c->builder, GRAPH_CASE_HANDLE, works, n);
	return g;
}

struct graph_node_row *graph_case_node(struct graph_case *g, uint32_t index)
{
	return builder_node_row(&g->c->builder, g->graph, index);
}

const struct graph_claim *graph_case_judge(struct graph_case *g, uint32_t version, int32_t code)
{
	builder_launch_graph(&g->c->builder, CASE_TID, g->stream, g->graph, version);
	return &case_judge(g->c, code)->graph;
}
