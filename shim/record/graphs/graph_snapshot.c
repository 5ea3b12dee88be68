/*
 * graph_snapshot.c - write and change the rows of executable graphs' nodes.
 */
#include "record/graphs/graph_snapshot.h"

#include <stddef.h>
#include <string.h>

#include "record/driver/driver.h"
#include "record/graphs/graph_origins.h"
#include "record/graphs/graph_walk.h"
#include "record/journal/bundle.h"
#include "record/journal/row_pool.h"
#include "record/objects/code_addresses.h"
#include "record/objects/functions.h"

enum {
	/* As many as the tables have rows (bundle.c). */
	MAX_GRAPHS = 16 * 1024,
	MAX_NODES = 128 * 1024,
	/* A program that updates a graph of 1,000 nodes before each launch keeps 32 launches. */
	N_NODES_KEPT = 32 * 1024,
	N_GRAPHS_KEPT = 4 * 1024,
};

static uint32_t given_graphs[MAX_GRAPHS];
static uint32_t given_nodes[MAX_NODES];
static struct row_pool graph_rows = {.file = JOURNAL_GRAPHS,
				     .n_kept = N_GRAPHS_KEPT,
				     .n_places = MAX_GRAPHS,
				     .given = given_graphs,
				     .lock = PTHREAD_MUTEX_INITIALIZER};
static struct row_pool node_rows = {.file = JOURNAL_GRAPH_NODES,
				    .n_kept = N_NODES_KEPT,
				    .n_places = MAX_NODES,
				    .given = given_nodes,
				    .lock = PTHREAD_MUTEX_INITIALIZER};
static uint64_t newest_number; /* atomic */

static struct graph_row *graph_row(uint32_t id)
{
	return table_row(bundle_table(JOURNAL_GRAPHS), id);
}

static struct graph_node_row *node_row(uint32_t id)
{
	return table_row(bundle_table(JOURNAL_GRAPH_NODES), id);
}

static void add_flags(uint32_t row, uint32_t flags)
{
	if (row && flags)
		__atomic_fetch_or(&graph_row(row)->flags, flags, __ATOMIC_RELAXED);
}

static uint8_t work_of(CUgraphNodeType type)
{
	switch ((int)type) {
	case CU_GRAPH_NODE_TYPE_KERNEL:
		return WORK_KERNEL;
	case CU_GRAPH_NODE_TYPE_MEMCPY:
	case CU_GRAPH_NODE_TYPE_MEMCPY_BATCH:
	case CU_GRAPH_NODE_TYPE_FABRIC_CPY_BATCH:
		return WORK_COPY;
	case CU_GRAPH_NODE_TYPE_MEMSET:
		return WORK_MEMSET;
	case CU_GRAPH_NODE_TYPE_HOST:
		return WORK_HOST_FUNC;
	case CU_GRAPH_NODE_TYPE_GRAPH:
		return WORK_GRAPH;
	case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
		return WORK_MEMOP;
	case CU_GRAPH_NODE_TYPE_EMPTY:
	case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
	case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
	case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
	case CU_GRAPH_NODE_TYPE_MEM_FREE:
	case CU_GRAPH_NODE_TYPE_CONDITIONAL:
		return NODE_WORK_NONE;
	default:
		return NODE_WORK_UNKNOWN;
	}
}

static void describe_arguments(const struct function *function,
			       const CUDA_KERNEL_NODE_PARAMS *params, struct graph_node_row *row)
{
	size_t copied = 0;
	size_t size = functions_copy_arguments(function, params->kernelParams, params->extra,
					       row->arguments, sizeof(row->arguments), &copied);
	row->argument_bytes = (uint32_t)copied;
	if (copied < size)
		row->flags |= GRAPH_NODE_ARGUMENTS_CUT;
}

static void describe_kernel(struct function_cache *functions, const CUDA_KERNEL_NODE_PARAMS *params,
			    struct graph_node_row *row)
{
	const uint32_t grid[3] = {params->gridDimX, params->gridDimY, params->gridDimZ};
	const uint32_t block[3] = {params->blockDimX, params->blockDimY, params->blockDimZ};
	const struct function *function = functions_of(functions, graph_walk_kernel(params));
	memcpy(row->grid, grid, sizeof(grid));
	memcpy(row->block, block, sizeof(block));
	row->shared_bytes = params->sharedMemBytes;
	row->flags &= (uint16_t)~GRAPH_NODE_ARGUMENTS_CUT;
	row->argument_bytes = 0;
	row->function = function ? function->id : 0;
	if (function)
		describe_arguments(function, params, row);
}

/* A walk that writes rows. */
struct writing {
	struct function_cache *functions;
	uint64_t number;
	uint32_t first; /* row */
	uint32_t last;
	uint32_t n_nodes;
	uint32_t flags; /* enum graph_flags */
};

static void write_node(const struct graph_visit *visit, void *data)
{
	struct writing *writing = data;
	struct graph_origin origin = graph_origins_get(visit->node);
	struct graph_node_row row = {
		.number = writing->number,
		.handle = (uintptr_t)visit->node,
		.index = visit->index,
		.holder = visit->holder,
		.stack = origin.stack,
		.work = work_of(visit->type),
		.source = origin.source,
		.flags = origin.flags,
	};
	writing->n_nodes++;
	CUDA_KERNEL_NODE_PARAMS params;
	if (row.work == WORK_KERNEL && graph_walk_params(visit->node, &params))
		describe_kernel(writing->functions, &params, &row);
	if (row.work == WORK_KERNEL && graph_walk_is_updatable(visit->node))
		row.flags |= GRAPH_NODE_UPDATABLE;
	if (row.work == WORK_KERNEL && graph_walk_may_be_cooperative(visit->node))
		row.flags |= GRAPH_NODE_COOPERATIVE;
	uint32_t id = row_pool_add(&node_rows, &row);
	if (!id) {
		writing->flags |= GRAPH_NODES_LOST;
		return;
	}
	if (writing->last)
		__atomic_store_n(&node_row(writing->last)->next, id, __ATOMIC_RELEASE);
	else
		writing->first = id;
	writing->last = id;
}

static void give_nodes(uint32_t id)
{
	while (id) {
		uint32_t next = node_row(id)->next;
		row_pool_give(&node_rows, id);
		id = next;
	}
}

struct graph_snapshot graph_snapshot_take(struct function_cache *functions, CUgraph graph,
					  CUgraphExec exec, uint32_t stack)
{
	struct writing writing = {
		.functions = functions,
		.number = __atomic_add_fetch(&newest_number, 1, __ATOMIC_RELAXED),
	};
	writing.flags |= graph_walk(graph, write_node, &writing);
	struct graph_row row = {
		.number = writing.number,
		.handle = (uintptr_t)exec,
		.first = writing.first,
		.n_nodes = writing.n_nodes,
		.flags = writing.flags,
		.stack = stack,
	};
	struct graph_snapshot snapshot = {.number = row.number,
					  .row = row_pool_add(&graph_rows, &row)};
	if (!snapshot.row)
		give_nodes(row.first);
	return snapshot;
}

void graph_snapshot_mark(const struct graph_snapshot *snapshot, uint32_t interval,
			 uint32_t n_markers, bool is_linear)
{
	if (!snapshot->row)
		return;
	struct graph_row row = *graph_row(snapshot->row);
	row.marker_interval = interval;
	row.n_markers = n_markers;
	row.marked = n_markers;
	row.is_linear = is_linear;
	row_pool_write(&graph_rows, snapshot->row, &row);
}

void graph_snapshot_set_marked(const struct graph_snapshot *snapshot, uint32_t marked)
{
	if (snapshot->row)
		__atomic_store_n(&graph_row(snapshot->row)->marked, marked, __ATOMIC_RELAXED);
}

void graph_snapshot_note_code(const struct graph_snapshot *snapshot, CUcontext context)
{
	uint32_t id = snapshot->row ? graph_row(snapshot->row)->first : 0;
	for (; id; id = node_row(id)->next) {
		const struct graph_node_row *node = node_row(id);
		if (node->function && !(node->flags & GRAPH_NODE_DISABLED))
			code_addresses_launched(
				(CUfunction)(uintptr_t)function_store_handle(node->function),
				context);
	}
}

void graph_snapshot_drop(struct graph_snapshot *snapshot)
{
	if (!snapshot->row)
		return;
	give_nodes(graph_row(snapshot->row)->first);
	row_pool_give(&graph_rows, snapshot->row);
	*snapshot = (struct graph_snapshot){0};
}

uint32_t graph_snapshot_stack(const struct graph_snapshot *snapshot)
{
	return snapshot->row ? graph_row(snapshot->row)->stack : 0;
}

void graph_snapshot_note_checks(const struct graph_snapshot *snapshot)
{
	add_flags(snapshot->row, GRAPH_HAS_CHECKS);
}

void graph_snapshot_distrust(const struct graph_snapshot *snapshot)
{
	add_flags(snapshot->row, GRAPH_NODES_CHANGED);
}

/* Search from `from` up to `end`, 0: to the last. */
static uint32_t find_between(CUgraphNode node, uint32_t from, uint32_t end)
{
	while (from && from != end && node_row(from)->handle != (uintptr_t)node)
		from = node_row(from)->next;
	return from == end ? 0 : from;
}

/* Start where the last search ended: programs that change many nodes do so in order. */
static uint32_t find_node(struct graph_snapshot *snapshot, CUgraphNode node)
{
	uint32_t id = snapshot->cursor ? find_between(node, snapshot->cursor, 0) : 0;
	if (!id && snapshot->row)
		id = find_between(node, graph_row(snapshot->row)->first, snapshot->cursor);
	if (id)
		snapshot->cursor = node_row(id)->next;
	return id;
}

/* Start a new version only if a launch has the present one. */
static void begin_version(struct graph_snapshot *snapshot)
{
	if (__atomic_exchange_n(&snapshot->is_launched, false, __ATOMIC_RELAXED))
		snapshot->version++;
}

/*
 * Prepare a change of `row`, a copy of row `id`. Its present data goes to a row of its own, which
 * is released at once, so that it lasts as long as the rows of destroyed graphs. Without room for
 * it, an older launch will find no data for its version, and no wrong data.
 */
static void keep_older(const struct graph_snapshot *snapshot, struct graph_node_row *row)
{
	if (row->version == snapshot->version)
		return;
	row->older = row_pool_add(&node_rows, row);
	row->version = snapshot->version;
	row_pool_give(&node_rows, row->older);
}

void graph_snapshot_set_kernel(struct function_cache *functions, struct graph_snapshot *snapshot,
			       CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params)
{
	uint32_t id = find_node(snapshot, node);
	if (!id || node_row(id)->work != WORK_KERNEL) {
		graph_snapshot_distrust(snapshot);
		return;
	}
	struct graph_node_row row = *node_row(id);
	begin_version(snapshot);
	keep_older(snapshot, &row);
	describe_kernel(functions, params, &row);
	row_pool_write(&node_rows, id, &row);
}

void graph_snapshot_set_enabled(struct graph_snapshot *snapshot, CUgraphNode node, bool is_enabled)
{
	uint32_t id = find_node(snapshot, node);
	if (!id) {
		graph_snapshot_distrust(snapshot);
		return;
	}
	struct graph_node_row row = *node_row(id);
	begin_version(snapshot);
	keep_older(snapshot, &row);
	row.flags &= (uint16_t)~GRAPH_NODE_DISABLED;
	row.flags |= is_enabled ? 0 : GRAPH_NODE_DISABLED;
	row_pool_write(&node_rows, id, &row);
}
