/*
 * any_parts.c - what work uses, with a few flaws.
 */
#include "model/any_parts.h"

#include "support/graph_builder.h"
#include "support/words_builder.h"

static void add_contexts(struct any_bundle *any)
{
	any->n_contexts = any_chance(any, 10) ? 2 : 1;
	for (uint32_t i = 0; i < any->n_contexts; i++) {
		uint32_t id = builder_context(&any->builder, i, "GPU");
		struct context_row *row = builder_context_row(&any->builder, id);
		row->flags = any_chance(any, 60) ? CONTEXT_LACKS_HOST_MEMORY : 0;
		if (any_chance(any, 10)) {
			row->markers = CONTEXT_MARKERS_REFUSED;
			row->marker_result = 801;
		}
	}
	if (any->n_contexts == 2 && any_chance(any, 30)) /* a green one */
		builder_context_row(&any->builder, 2)->primary = 1;
}

static void add_streams(struct any_bundle *any)
{
	bool has_legacy = any_chance(any, 25);
	any->n_streams = 1 + any_pick(any, ANY_STREAMS);
	any->n_channels = any_chance(any, 60) ? 1 + any_pick(any, ANY_CHANNELS) : 0;
	for (uint32_t i = 0; i < any->n_streams; i++) {
		struct any_stream *stream = &any->streams[i];
		bool is_legacy = has_legacy && i == 0;
		bool is_blocking = has_legacy && any_chance(any, 70);
		uint32_t context = 1 + any_pick(any, any->n_contexts);
		stream->id = builder_stream(&any->builder, context,
					    is_legacy ? STREAM_LEGACY : STREAM_EXPLICIT,
					    is_blocking ? 0 : STREAM_NON_BLOCKING, 0x5000 + i);
		stream->channel = any->n_channels ? 1 + i % any->n_channels : 0;
		for (int k = 0; k < 2 && stream->channel; k++)
			stream->states[k] = builder_kernel_state(&any->builder, stream->id, 0);
	}
	for (uint32_t i = 0; i < any->n_channels; i++)
		(void)builder_channel(&any->builder, 1, 0);
}

static void add_functions(struct any_bundle *any)
{
	static const char *const names[ANY_FUNCTIONS] = {"a", "b", "a", "memset32", "c", "d"};
	static const uint32_t sizes[] = {8, 4, 8};
	static const uint32_t n_parameters[ANY_FUNCTIONS] = {2, 3, 3, 1, 0, 3};
	for (uint32_t i = 0; i < ANY_FUNCTIONS; i++) {
		uint32_t id = builder_function(&any->builder, names[i], n_parameters[i], sizes);
		struct function_row *row = builder_function_row(&any->builder, id);
		if (any_chance(any, 6))
			row->n_parameters = UINT32_MAX;
		if (any_chance(any, 6))
			row->name = 0;
		if (any_chance(any, 6))
			row->handle = 0x2001;
	}
}

static void free_range(struct any_bundle *any, uint32_t id)
{
	static const char *const calls[] = {"cuMemFree_v2", "cuMemFreeAsync", "cuMemUnmap"};
	uint32_t call = builder_string(&any->builder, calls[any_pick(any, 3)]);
	struct range_row *row = builder_range_row(&any->builder, id);
	row->state = RANGE_FREED;
	row->freed_call = call;
	row->freed_ns = 1000 * (uint64_t)any_pick(any, 30);
	row->freed_after = any_pick(any, 8);
	row->freed_stream = any_pick(any, 3);
	row->freed_tid = ANY_TID + any_pick(any, 2);
}

/* Memory that frees may have taken away, and memory of the host that the driver does not know. */
static void add_memory(struct any_bundle *any)
{
	static const uint8_t kinds[] = {RANGE_DEVICE, RANGE_DEVICE, RANGE_HOST, RANGE_ORDERED,
					RANGE_MANAGED};
	for (uint32_t i = 0; i < ANY_AREAS; i++) {
		uint64_t start = ANY_MEMORY + (uint64_t)i * ANY_AREA;
		uint32_t id = builder_range(&any->builder, start, ANY_SPAN, 0);
		struct range_row *row = builder_range_row(&any->builder, id);
		row->kind = kinds[any_pick(any, i < 2 ? 2 : sizeof(kinds))];
		row->context = any_chance(any, 90) ? 1 : 0;
		row->time_ns = any_chance(any, 80) ? 0 : 1000 * (uint64_t)any_pick(any, 200);
		row->tid = ANY_TID;
		if (any_chance(any, 20))
			free_range(any, id);
	}
	uint32_t mapping = 0;
	struct host_mapping_row *host =
		builder_rows(&any->builder, JOURNAL_HOST_MAPPINGS, 1, &mapping);
	*host = (struct host_mapping_row){.start = ANY_HOST, .end = ANY_HOST + 0x40};
}

static void add_module(struct any_bundle *any)
{
	uint32_t path = builder_string(&any->builder, "lib.so");
	uint32_t id = 0;
	struct module_row *row = builder_rows(&any->builder, JOURNAL_MODULES, 1, &id);
	*row = (struct module_row){.start = 0x1000, .end = 0x2000, .path = path};
	row->flags = any_chance(any, 50) ? MODULE_BYPASSES : 0;
}

/* --- Graphs --- */

static void fill_node(struct any_bundle *any, struct graph_node_row *node)
{
	static const uint16_t flags[] = {GRAPH_NODE_DISABLED, GRAPH_NODE_ARGUMENTS_CUT,
					 GRAPH_NODE_UPDATABLE, GRAPH_NODE_COOPERATIVE,
					 GRAPH_NODE_COOPERATIVE};
	if (node->work == WORK_KERNEL) {
		node->function = any_chance(any, 95) ? 1 + any_pick(any, ANY_FUNCTIONS) : 0;
		any_fill_arguments(any, node->arguments);
		node->argument_bytes = any_chance(any, 85) ? ANY_ARGUMENTS : any_pick(any, 20);
		node->grid[0] = 1 + any_pick(any, 3);
	}
	if (any_chance(any, 20))
		node->flags = flags[any_pick(any, 5)];
	if (any_chance(any, 10)) /* another two */
		node->flags |= (uint16_t)(GRAPH_NODE_UPDATABLE | GRAPH_NODE_DISABLED);
	node->holder = any_chance(any, 5);
}

/* The node was another one before a version. */
static void add_older(struct any_bundle *any, uint32_t graph, uint32_t index)
{
	uint32_t id = builder_graph(&any->builder, 0x9900, (const uint8_t[]){WORK_KERNEL}, 1);
	struct graph_node_row *older = builder_node_row(&any->builder, id, 0);
	struct graph_node_row *node = builder_node_row(&any->builder, graph, index);
	uint32_t first = builder_graph_row(&any->builder, id)->first;
	*older = *node;
	older->next = 0;
	fill_node(any, older);
	node->version = 1 + any_pick(any, 2);
	node->older = first;
}

static void add_graph(struct any_bundle *any)
{
	static const uint8_t kinds[] = {WORK_KERNEL,    WORK_KERNEL,    WORK_KERNEL,
					WORK_KERNEL,    WORK_COPY,      WORK_MEMSET,
					NODE_WORK_NONE, WORK_KERNEL,    WORK_GRAPH,
					WORK_KERNEL,    WORK_HOST_FUNC, NODE_WORK_UNKNOWN};
	static const uint32_t flags[] = {GRAPH_NODES_LOST, GRAPH_NODES_HIDDEN, GRAPH_NODES_CHANGED,
					 GRAPH_HAS_CHECKS, GRAPH_HAS_CHECKS};
	uint8_t works[GRAPH_MAX_CANDIDATES + 2];
	bool is_large = any_chance(any, 6); /* more nodes than claims list, nearly all of kernels */
	uint32_t n = is_large ? GRAPH_MAX_CANDIDATES - 1 + any_pick(any, 4) : 1 + any_pick(any, 4);
	for (uint32_t i = 0; i < n; i++)
		works[i] = kinds[any_pick(any, is_large && i > 0 ? 5 : sizeof(kinds))];
	uint32_t id = builder_graph(&any->builder, 0x9000 + any->n_graphs, works, n);
	for (uint32_t i = 0; i < n; i++)
		fill_node(any, builder_node_row(&any->builder, id, i));
	struct graph_row *row = builder_graph_row(&any->builder, id);
	row->flags = any_chance(any, 25) ? flags[any_pick(any, 5)] : 0;
	row->marker_interval = any_chance(any, 40) ? 1 + any_pick(any, 2) : 0;
	row->n_markers = row->marker_interval ? n / row->marker_interval + 1 : 0;
	row->marked = any_pick(any, row->n_markers + 1);
	row->is_linear = any_pick(any, 2);
	any->n_graphs++;
}

static void add_graphs(struct any_bundle *any)
{
	uint32_t n = 1 + any_pick(any, 2);
	for (uint32_t i = 0; i < n; i++)
		add_graph(any);
	for (uint32_t i = 1; i <= n; i++)
		if (any_chance(any, 25))
			add_older(any, i, 0);
}

static void add_calls(struct any_bundle *any)
{
	static const char *const calls[] = {"cuMemcpyDtoDAsync_v2", "cuMemcpyHtoDAsync_v2",
					    "cuMemcpyDtoHAsync_v2", "cuMemcpyAsync"};
	for (int i = 0; i < 4; i++)
		any->calls[i] = builder_string(&any->builder, calls[i]);
}

void any_parts_add(struct any_bundle *any)
{
	add_contexts(any);
	add_streams(any);
	add_functions(any);
	add_memory(any);
	add_module(any);
	add_graphs(any);
	add_calls(any);
}
