/*
 * graph_builder.c - the rows of graphs. The nodes of one graph lie side by side.
 */
#include "support/graph_builder.h"

static void *row_of(struct bundle_builder *builder, enum journal_file kind, size_t row_size,
		    uint32_t id)
{
	return builder->tables[kind].bytes + sizeof(struct file_header) +
	       (id - (size_t)1) * row_size;
}

struct graph_row *builder_graph_row(struct bundle_builder *builder, uint32_t id)
{
	return row_of(builder, JOURNAL_GRAPHS, sizeof(struct graph_row), id);
}

struct graph_node_row *builder_node_row(struct bundle_builder *builder, uint32_t graph,
					uint32_t index)
{
	uint32_t first = builder_graph_row(builder, graph)->first;
	return row_of(builder, JOURNAL_GRAPH_NODES, sizeof(struct graph_node_row), first + index);
}

uint32_t builder_graph(struct bundle_builder *builder, uint64_t handle, const uint8_t *works,
		       uint32_t n)
{
	uint32_t first = 0;
	struct graph_node_row *nodes = builder_rows(builder, JOURNAL_GRAPH_NODES, n, &first);
	uint32_t id = 0;
	struct graph_row *graph = builder_rows(builder, JOURNAL_GRAPHS, 1, &id);
	/* Numbers are never ids: a test that mixes them up must not pass. */
	*graph = (struct graph_row){
		.number = 1000 + id, .handle = handle, .first = first, .n_nodes = n};
	for (uint32_t i = 0; i < n; i++)
		nodes[i] = (struct graph_node_row){.number = graph->number,
						   .handle = handle + i,
						   .next = i + 1 < n ? first + i + 1 : 0,
						   .index = i,
						   .grid = {1, 1, 1},
						   .block = {1, 1, 1},
						   .work = works[i]};
	return id;
}

struct journal_record *builder_launch_graph(struct bundle_builder *builder, uint32_t tid,
					    uint32_t stream, uint32_t graph, uint32_t version)
{
	struct journal_record *record = builder_submit(builder, tid, stream, WORK_GRAPH);
	const struct graph_row *row = builder_graph_row(builder, graph);
	record->graph = (struct record_graph){.handle = row->handle,
					      .replay = 1,
					      .number = row->number,
					      .row = graph,
					      .version = version};
	return record;
}
