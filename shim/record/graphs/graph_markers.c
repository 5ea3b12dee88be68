/*
 * graph_markers.c - add nodes that write a word to graphs, and remove them again.
 */
#include "record/graphs/graph_markers.h"

#include "record/driver/driver.h"
#include "record/graphs/graph_walk.h"
#include "record/streams/contexts.h"

static uint32_t interval; /* written at start only */

void graph_markers_start(uint32_t wanted)
{
	interval = wanted;
}

uint32_t graph_markers_interval(void)
{
	return interval;
}

bool graph_markers_equip(struct graph_word *out)
{
	struct context *context = contexts_current();
	if (!context ||
	    __atomic_load_n(&context->markers.state, __ATOMIC_ACQUIRE) != MARKER_MEMORY_READY)
		return false;
	uint32_t n = __atomic_fetch_add(&context->markers.n_words, 1, __ATOMIC_RELAXED);
	if (n >= MARKER_WORDS)
		return false;
	*out = (struct graph_word){
		.context = context,
		.word = &context->markers.words[n],
		.device_word = context->markers.device_words + n * sizeof(uint32_t),
	};
	return true;
}

static bool is_plain_kernel(CUgraphNode node)
{
	CUcontext current = NULL;
	CUDA_KERNEL_NODE_PARAMS params;
	if (!graph_walk_params(node, &params) || graph_walk_is_updatable(node))
		return false;
	return !params.ctx ||
	       (real.cuCtxGetCurrent(&current) == CUDA_SUCCESS && params.ctx == current);
}

/*
 * A graph with memory nodes must not lose nodes again. A graph with conditional or device-updatable
 * nodes can be instantiated only once (the documentation of cuGraphDestroyNode and
 * cuGraphInstantiate, 13.0).
 */
static void check_node(const struct graph_visit *visit, void *data)
{
	bool *may_be_marked = data;
	switch (visit->type) {
	case CU_GRAPH_NODE_TYPE_KERNEL:
		*may_be_marked &= is_plain_kernel(visit->node);
		break;
	case CU_GRAPH_NODE_TYPE_MEMCPY:
	case CU_GRAPH_NODE_TYPE_MEMSET:
	case CU_GRAPH_NODE_TYPE_HOST:
	case CU_GRAPH_NODE_TYPE_GRAPH:
	case CU_GRAPH_NODE_TYPE_EMPTY:
	case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
	case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
	case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
		break;
	default:
		*may_be_marked = false;
		break;
	}
}

static bool may_be_marked(CUgraph graph)
{
	bool may = true;
	return graph_walk(graph, check_node, &may) == 0 && may;
}

/* Keep only the list's kernels. */
static void select_kernels(struct node_list *list)
{
	size_t n_kernels = 0;
	for (size_t i = 0; i < list->n_nodes; i++) {
		CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
		if (real.cuGraphNodeGetType(list->nodes[i], &type) == CUDA_SUCCESS &&
		    type == CU_GRAPH_NODE_TYPE_KERNEL)
			list->nodes[n_kernels++] = list->nodes[i];
	}
	list->n_nodes = n_kernels;
}

/* The driver refuses this form of the question if an edge carries data, as programmatic ones do. */
static bool is_behind(CUgraphNode node, CUgraphNode previous)
{
	size_t n = 2;
	CUgraphNode dependencies[2];
	if (real.cuGraphNodeGetDependencies(node, dependencies, &n) != CUDA_SUCCESS)
		return false;
	return previous ? n == 1 && dependencies[0] == previous : n == 0;
}

static bool is_linear(const struct node_list *list)
{
	for (size_t i = 0; i < list->n_nodes; i++) {
		if (!is_behind(list->nodes[i], i ? list->nodes[i - 1] : NULL))
			return false;
	}
	return true;
}

/* Add a node that writes `value` after a kernel (NULL: none) and after our newest node. */
static bool add_write(CUgraph graph, CUgraphNode kernel, CUdeviceptr word, uint32_t value,
		      struct node_list *added)
{
	size_t n_dependencies = 0;
	CUstreamBatchMemOpParams write = {
		.writeValue = {.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32,
			       .address = word,
			       .value = value,
			       .flags = CU_STREAM_WRITE_VALUE_DEFAULT},
	};
	CUDA_BATCH_MEM_OP_NODE_PARAMS params = {.count = 1, .paramArray = &write};
	CUgraphNode dependencies[2];
	if (kernel)
		dependencies[n_dependencies++] = kernel;
	if (added->n_nodes)
		dependencies[n_dependencies++] = added->nodes[added->n_nodes - 1];
	if (real.cuCtxGetCurrent(&params.ctx) != CUDA_SUCCESS ||
	    real.cuGraphAddBatchMemOpNode(&added->nodes[added->n_nodes], graph, dependencies,
					  n_dependencies, &params) != CUDA_SUCCESS)
		return false;
	added->n_nodes++;
	return true;
}

/* Add a write after every interval-th kernel, and after the last one. */
static bool add_writes(CUgraph graph, const struct node_list *kernels, CUdeviceptr word,
		       struct graph_marking *marking)
{
	struct node_list *added = &marking->added;
	if (!node_list_make(kernels->n_nodes + 1, added) || !add_write(graph, NULL, word, 0, added))
		return false;
	for (size_t i = 0; i < kernels->n_nodes; i++) {
		if ((i + 1) % interval != 0 && i + 1 < kernels->n_nodes)
			continue;
		if (!add_write(graph, kernels->nodes[i], word, ++marking->n_markers, added))
			return false;
	}
	return true;
}

bool graph_markers_add(CUgraph graph, CUdeviceptr word, struct graph_marking *out)
{
	*out = (struct graph_marking){0};
	struct node_list list;
	if (!may_be_marked(graph) || !node_list_read(graph, &list))
		return false;
	out->is_linear = is_linear(&list);
	select_kernels(&list);
	/* A single kernel needs no marker to be found. */
	bool is_added = list.n_nodes > 1 && add_writes(graph, &list, word, out);
	if (!is_added)
		graph_markers_remove(out);
	node_list_free(&list);
	return is_added;
}

/* Remove the last first: a reader of the graph never finds a node without its dependency. */
void graph_markers_remove(struct graph_marking *marking)
{
	struct node_list *added = &marking->added;
	while (added->n_nodes)
		(void)real.cuGraphDestroyNode(added->nodes[--added->n_nodes]);
	node_list_free(added);
}
