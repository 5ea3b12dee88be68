/*
 * graph_builder.h - executable graphs and their launches in a synthetic bundle.
 */
#ifndef CULPRIT_TESTS_GRAPH_BUILDER_H
#define CULPRIT_TESTS_GRAPH_BUILDER_H

#include "support/bundle_builder.h"

/* An executable graph with one node for each kind of work, index 0 to n - 1. Its id. */
uint32_t builder_graph(struct bundle_builder *builder, uint64_t handle, const uint8_t *works,
		       uint32_t n);

/* The launch of a graph as it is now. */
struct journal_record *builder_launch_graph(struct bundle_builder *builder, uint32_t tid,
					    uint32_t stream, uint32_t graph, uint32_t version);

/* A row, to change it; valid until the next graph is added. */
struct graph_row *builder_graph_row(struct bundle_builder *builder, uint32_t id);
struct graph_node_row *builder_node_row(struct bundle_builder *builder, uint32_t graph,
					uint32_t index);

#endif
