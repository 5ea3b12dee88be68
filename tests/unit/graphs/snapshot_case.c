/*
 * snapshot_case.c - the tables, and the graphs that the driver lists.
 */
#include "graphs/snapshot_case.h"

#include "record/driver/driver.h"
#include "record/graphs/graph_origins.h"
#include "record/graphs/graph_walk.h"
#include "record/journal/bundle.h"
#include "record/journal/row_pool.h"
#include "record/objects/code_addresses.h"
#include "record/objects/functions.h"
#include "support/check.h"

struct snapshot_case snapshot_case;
struct function_cache snapshot_cache;

static struct table tables[2];
static struct function function = {.id = 70};

static unsigned number(const void *handle)
{
	return (unsigned)(uintptr_t)handle;
}

CUgraphNode snapshot_node(uint32_t index)
{
	return (CUgraphNode)(uintptr_t)(0x100 + index);
}

static uint32_t index_of(CUgraphNode node)
{
	return number(node) - 0x100;
}

struct table *bundle_table(enum journal_file kind)
{
	CHECK(kind == JOURNAL_GRAPHS || kind == JOURNAL_GRAPH_NODES);
	return &tables[kind == JOURNAL_GRAPH_NODES];
}

void *table_row(const struct table *table, uint32_t id)
{
	bool is_node = table == &tables[1];
	CHECK(id && id <= (is_node ? snapshot_case.n_nodes : snapshot_case.n_graphs));
	return is_node ? (void *)&snapshot_case.nodes[id] : (void *)&snapshot_case.graphs[id];
}

/* The pools' size, as bundle.c has it. */
static bool is_of_nodes(const struct row_pool *pool)
{
	bool is_node = pool->file == JOURNAL_GRAPH_NODES;
	CHECK(is_node || pool->file == JOURNAL_GRAPHS);
	CHECK_EQUAL(pool->n_kept, is_node ? 32 * 1024 : 4 * 1024);
	CHECK_EQUAL(pool->n_places, is_node ? 128 * 1024 : 16 * 1024);
	CHECK(pool->given);
	return is_node;
}

uint32_t row_pool_add(struct row_pool *pool, const void *row)
{
	if (is_of_nodes(pool)) {
		if (snapshot_case.n_nodes >= snapshot_case.n_room)
			return 0;
		snapshot_case.nodes[++snapshot_case.n_nodes] = *(const struct graph_node_row *)row;
		return snapshot_case.n_nodes;
	}
	if (snapshot_case.n_graphs >= snapshot_case.n_graph_room)
		return 0;
	snapshot_case.graphs[++snapshot_case.n_graphs] = *(const struct graph_row *)row;
	return snapshot_case.n_graphs;
}

void row_pool_write(const struct row_pool *pool, uint32_t id, const void *row)
{
	bool is_node = is_of_nodes(pool);
	trace_add("write %s %u\n", is_node ? "node" : "graph", id);
	if (is_node)
		snapshot_case.nodes[id] = *(const struct graph_node_row *)row;
	else
		snapshot_case.graphs[id] = *(const struct graph_row *)row;
}

void row_pool_give(struct row_pool *pool, uint32_t id)
{
	trace_add("give %s %u\n", is_of_nodes(pool) ? "node" : "graph", id);
}

struct graph_origin graph_origins_get(CUgraphNode node)
{
	uint32_t index = index_of(node);
	return (struct graph_origin){.stack = 500 + index,
				     .source = GRAPH_NODE_ADDED,
				     .flags = index & 1 ? GRAPH_NODE_COPIED : 0};
}

uint32_t graph_walk(CUgraph graph, void (*visit)(const struct graph_visit *visit, void *data),
		    void *data)
{
	CHECK_EQUAL(number(graph), 0x66);
	for (uint32_t i = 0; i < snapshot_case.n; i++) {
		const struct graph_visit at = {.node = snapshot_node(i),
					       .graph = graph,
					       .type = snapshot_case.types[i],
					       .index = i,
					       .holder = i / 2};
		visit(&at, data);
	}
	return snapshot_case.flags;
}

CUDA_KERNEL_NODE_PARAMS snapshot_params(uint32_t index)
{
	return (CUDA_KERNEL_NODE_PARAMS){.func = (CUfunction)(uintptr_t)(0x900 + index),
					 .gridDimX = 10 + index,
					 .gridDimY = 20 + index,
					 .gridDimZ = 30 + index,
					 .blockDimX = 40 + index,
					 .blockDimY = 50 + index,
					 .blockDimZ = 60 + index,
					 .sharedMemBytes = 80 + index,
					 .kernelParams = (void **)0x30,
					 .extra = (void **)0x40};
}

bool graph_walk_params(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *out)
{
	CHECK_EQUAL(snapshot_case.types[index_of(node)], CU_GRAPH_NODE_TYPE_KERNEL);
	*out = snapshot_params(index_of(node));
	return snapshot_case.parameters >> index_of(node) & 1;
}

CUfunction graph_walk_kernel(const CUDA_KERNEL_NODE_PARAMS *params)
{
	return params->func;
}

bool graph_walk_is_updatable(CUgraphNode node)
{
	CHECK_EQUAL(snapshot_case.types[index_of(node)], CU_GRAPH_NODE_TYPE_KERNEL);
	return snapshot_case.updatable >> index_of(node) & 1;
}

bool graph_walk_may_be_cooperative(CUgraphNode node)
{
	CHECK_EQUAL(snapshot_case.types[index_of(node)], CU_GRAPH_NODE_TYPE_KERNEL);
	return snapshot_case.cooperative >> index_of(node) & 1;
}

const struct function *functions_of(const struct function_cache *of, CUfunction handle)
{
	CHECK(of == &snapshot_cache);
	function.id = number(handle) - 0x900 + 70;
	return number(handle) == SNAPSHOT_NO_KERNEL ? NULL : &function;
}

size_t functions_copy_arguments(const struct function *of, void *const *parameters,
				void *const *extra, unsigned char *out, size_t capacity,
				size_t *out_copied)
{
	CHECK(of == &function && number(parameters) == 0x30 && number(extra) == 0x40);
	CHECK_EQUAL(capacity, GRAPH_NODE_ARGUMENTS);
	memset(out, (int)of->id, snapshot_case.argument_copied);
	*out_copied = snapshot_case.argument_copied;
	return snapshot_case.argument_size;
}

uint64_t function_store_handle(uint32_t id)
{
	return 0x900 - 70 + id;
}

void code_addresses_launched(CUfunction handle, CUcontext context)
{
	trace_add("launched %x in %x\n", number(handle), number(context));
}
