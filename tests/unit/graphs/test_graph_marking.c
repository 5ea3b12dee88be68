/*
 * test_graph_marking.c - which graphs get markers, where in them, and that none is left when one
 * fails. The driver's graph is a list of nodes; what is added to it or removed is traced.
 */
#include "record/driver/driver.h"
#include "record/graphs/graph_markers.h"
#include "record/graphs/graph_walk.h"
#include "record/streams/contexts.h"
#include "support/check.h"

enum { N_NODES = 12, ADDED = 0x300, WORD = 0x7000 };

struct driver real;

static struct context context;
static bool has_context;
static volatile uint32_t words[MARKER_WORDS];

static struct {
	CUgraphNodeType types[N_NODES];
	int previous[N_NODES]; /* index of a node's only dependency; -1: none, -2: refused, -3: two
				*/
	size_t n;
	uint32_t flags;     /* of the walk */
	uint32_t updatable; /* bits of nodes, as the following */
	uint32_t unknown, elsewhere, somewhere;
	bool is_unreadable, has_no_list, has_no_current;
	unsigned n_added, n_to_add; /* nodes added, and how many the driver adds */
	unsigned n_lists;
} driver_graph;

static CUgraphNode node_of(size_t index)
{
	return (CUgraphNode)(0x100 + index);
}

static size_t index_of(CUgraphNode node)
{
	return (uintptr_t)node - 0x100;
}

static CUcontext handle_of(uintptr_t number)
{
	return (CUcontext)(number * 0x10);
}

struct context *contexts_current(void)
{
	return has_context ? &context : NULL;
}

uint32_t graph_walk(CUgraph of, void (*visit)(const struct graph_visit *visit, void *data),
		    void *data)
{
	for (size_t i = 0; i < driver_graph.n; i++)
		visit(&(struct graph_visit){.node = node_of(i),
					    .graph = of,
					    .type = driver_graph.types[i]},
		      data);
	return driver_graph.flags;
}

bool graph_walk_params(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *out)
{
	size_t i = index_of(node);
	CHECK_EQUAL(driver_graph.types[i], CU_GRAPH_NODE_TYPE_KERNEL);
	*out = (CUDA_KERNEL_NODE_PARAMS){.ctx = driver_graph.elsewhere >> i & 1   ? handle_of(2)
						: driver_graph.somewhere >> i & 1 ? handle_of(1)
										  : NULL};
	return !(driver_graph.unknown >> i & 1);
}

bool graph_walk_is_updatable(CUgraphNode node)
{
	return driver_graph.updatable >> index_of(node) & 1;
}

bool node_list_read(CUgraph of, struct node_list *out)
{
	CHECK(of);
	if (driver_graph.is_unreadable)
		return false;
	CHECK(node_list_make(driver_graph.n, out));
	for (size_t i = 0; i < driver_graph.n; i++)
		out->nodes[out->n_nodes++] = node_of(i);
	return true;
}

bool node_list_make(size_t n_nodes, struct node_list *out)
{
	*out = (struct node_list){.bytes = n_nodes};
	if (driver_graph.has_no_list && driver_graph.n_lists)
		return false;
	out->nodes = calloc(n_nodes + 1, sizeof(out->nodes[0]));
	CHECK(out->nodes);
	driver_graph.n_lists++;
	return true;
}

void node_list_free(struct node_list *list)
{
	driver_graph.n_lists -= list->nodes != NULL;
	free(list->nodes);
	*list = (struct node_list){0};
}

static CUresult get_current(CUcontext *out)
{
	*out = handle_of(1);
	return driver_graph.has_no_current ? CUDA_ERROR_DEINITIALIZED : CUDA_SUCCESS;
}

static CUresult get_type(CUgraphNode node, CUgraphNodeType *out)
{
	*out = driver_graph.types[index_of(node)];
	return driver_graph.unknown >> index_of(node) & 1 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static CUresult get_dependencies(CUgraphNode node, CUgraphNode *out, size_t *n)
{
	int previous = driver_graph.previous[index_of(node)];
	CHECK_EQUAL(*n, 2);
	*n = previous >= 0 ? 1 : previous == -3 ? 2 : 0;
	out[0] = previous >= 0 ? node_of((size_t)previous) : previous == -3 ? node_of(0) : NULL;
	out[1] = NULL;
	return previous == -2 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static CUresult add_node(CUgraphNode *out, CUgraph of, const CUgraphNode *dependencies, size_t n,
			 const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
	CHECK(of && params->ctx == handle_of(1) && params->count == 1 && !params->flags);
	const CUstreamBatchMemOpParams *write = params->paramArray;
	CHECK_EQUAL(write->operation, CU_STREAM_MEM_OP_WRITE_VALUE_32);
	CHECK(write->writeValue.address == WORD && write->writeValue.flags == 0);
	trace_add("write %u after", write->writeValue.value);
	for (size_t i = 0; i < n; i++)
		trace_add(" %lx", (unsigned long)(uintptr_t)dependencies[i]);
	trace_add("\n");
	if (driver_graph.n_added >= driver_graph.n_to_add)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*out = (CUgraphNode)(uintptr_t)(ADDED + driver_graph.n_added++);
	return CUDA_SUCCESS;
}

static CUresult destroy_node(CUgraphNode node)
{
	trace_add("destroy %lx\n", (unsigned long)(uintptr_t)node);
	return CUDA_SUCCESS;
}

/* A chain of kernels. */
static void start(size_t n, uint32_t interval)
{
	(void)trace_take();
	memset(&driver_graph, 0, sizeof(driver_graph));
	driver_graph.n = n;
	driver_graph.n_to_add = 99;
	for (size_t i = 0; i < n; i++) {
		driver_graph.types[i] = CU_GRAPH_NODE_TYPE_KERNEL;
		driver_graph.previous[i] = (int)i - 1;
	}
	graph_markers_start(interval);
	CHECK_EQUAL(graph_markers_interval(), interval);
	real.cuCtxGetCurrent = get_current;
	real.cuGraphNodeGetType = get_type;
	real.cuGraphNodeGetDependencies = get_dependencies;
	real.cuGraphAddBatchMemOpNode = add_node;
	real.cuGraphDestroyNode = destroy_node;
}

static struct graph_marking marking;

/* Add markers, and return true if there are some. */
static bool add(void)
{
	bool is_added = graph_markers_add((CUgraph)0x66, WORD, &marking);
	CHECK_EQUAL(driver_graph.n_lists, is_added);
	CHECK(marking.added.n_nodes <= marking.added.bytes); /* the room, here */
	return is_added;
}

static void remove_all(void)
{
	(void)trace_take();
	graph_markers_remove(&marking);
	CHECK(driver_graph.n_lists == 0 && !marking.added.nodes);
}

static void test_added(void)
{
	start(5, 2);
	CHECK(add() && marking.is_linear && marking.n_markers == 3 && marking.added.n_nodes == 4);
	CHECK_TRACE("write 0 after\nwrite 1 after 101 300\nwrite 2 after 103 301\n"
		    "write 3 after 104 302\n");
	remove_all();
	CHECK_TRACE("destroy 303\ndestroy 302\ndestroy 301\ndestroy 300\n");
	start(4, 2);
	CHECK(add() && marking.n_markers == 2);
	CHECK_TRACE("write 0 after\nwrite 1 after 101 300\nwrite 2 after 103 301\n");
	remove_all();
	start(2, 16);
	CHECK(add() && marking.n_markers == 1);
	CHECK_TRACE("write 0 after\nwrite 1 after 101 300\n");
	remove_all();
	/* Only kernels are counted. */
	start(5, 1);
	driver_graph.types[0] = CU_GRAPH_NODE_TYPE_MEMCPY;
	driver_graph.types[3] = CU_GRAPH_NODE_TYPE_HOST;
	CHECK(add() && marking.is_linear && marking.n_markers == 3);
	CHECK_TRACE("write 0 after\nwrite 1 after 101 300\nwrite 2 after 102 301\n"
		    "write 3 after 104 302\n");
	remove_all();
}

/* A graph with one kernel, or one that the driver says nothing of, gets none. */
static void test_none(void)
{
	start(1, 1);
	CHECK(!add() && !marking.added.nodes);
	start(2, 1);
	driver_graph.types[1] = CU_GRAPH_NODE_TYPE_EMPTY;
	CHECK(!add());
	start(3, 1);
	driver_graph.flags = GRAPH_NODES_HIDDEN;
	CHECK(!add());
	start(3, 1);
	driver_graph.is_unreadable = true;
	CHECK(!add());
	start(3, 1);
	driver_graph.has_no_list = true;
	CHECK(!add());
	CHECK_TRACE("");
	CHECK(!marking.n_markers);
}

static bool may_have(CUgraphNodeType type)
{
	start(3, 1);
	driver_graph.types[2] = type;
	bool is_added = add();
	remove_all();
	(void)trace_take();
	return is_added;
}

static void test_kinds(void)
{
	static const CUgraphNodeType good[] = {
		CU_GRAPH_NODE_TYPE_KERNEL,       CU_GRAPH_NODE_TYPE_MEMCPY,
		CU_GRAPH_NODE_TYPE_MEMSET,       CU_GRAPH_NODE_TYPE_HOST,
		CU_GRAPH_NODE_TYPE_GRAPH,        CU_GRAPH_NODE_TYPE_EMPTY,
		CU_GRAPH_NODE_TYPE_WAIT_EVENT,   CU_GRAPH_NODE_TYPE_EVENT_RECORD,
		CU_GRAPH_NODE_TYPE_BATCH_MEM_OP,
	};
	unsigned n_good = 0;
	for (int type = 0; type < 20; type++)
		n_good += may_have((CUgraphNodeType)type);
	CHECK_EQUAL(n_good, sizeof(good) / sizeof(good[0]));
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		CHECK(may_have(good[i]));
}

/* One kernel that must not be changed is enough, whatever follows it. */
static void test_kernels(void)
{
	start(3, 1);
	driver_graph.updatable = 2;
	CHECK(!add());
	start(3, 1);
	driver_graph.elsewhere = 2;
	CHECK(!add());
	start(3, 1);
	driver_graph.somewhere = 2;
	CHECK(add());
	remove_all();
	start(3, 1);
	driver_graph.somewhere = 2;
	driver_graph.has_no_current = true;
	CHECK(!add());
	start(3, 1);
	driver_graph.unknown = 2;
	CHECK(!add());
	CHECK_TRACE("");
}

static bool is_linear(int first, int second, int third)
{
	start(3, 1);
	driver_graph.previous[0] = first;
	driver_graph.previous[1] = second;
	driver_graph.previous[2] = third;
	CHECK(add());
	remove_all();
	(void)trace_take();
	return marking.is_linear;
}

static void test_linear(void)
{
	CHECK(is_linear(-1, 0, 1));
	CHECK(!is_linear(-1, 0, 0));
	CHECK(!is_linear(-1, -1, 1));
	CHECK(!is_linear(2, 0, 1));
	CHECK(!is_linear(-1, -3, 1));
	CHECK(!is_linear(-2, 0, 1));
	CHECK(!is_linear(-1, 0, -2));
}

/* Remove what was added before the driver refused. */
static void test_refused(void)
{
	start(3, 1);
	driver_graph.n_to_add = 0;
	CHECK(!add());
	CHECK_TRACE("write 0 after\n");
	driver_graph.n_to_add = 2;
	CHECK(!add());
	CHECK_TRACE("write 0 after\nwrite 1 after 100 300\nwrite 2 after 101 301\n"
		    "destroy 301\ndestroy 300\n");
	start(3, 1);
	driver_graph.has_no_current = true;
	CHECK(!add());
	CHECK_TRACE("");
}

static void test_words(void)
{
	struct graph_word word = {0};
	has_context = false;
	CHECK(!graph_markers_equip(&word));
	has_context = true;
	context.markers = (struct marker_memory){
		.state = MARKER_MEMORY_REFUSED, .words = words, .device_words = WORD};
	CHECK(!graph_markers_equip(&word) && context.markers.n_words == 0 && !word.context);
	context.markers.state = MARKER_MEMORY_READY;
	context.markers.n_words = MARKER_WORDS - 1;
	CHECK(graph_markers_equip(&word));
	CHECK(word.context == &context && word.word == &words[MARKER_WORDS - 1]);
	CHECK(word.device_word == WORD + (MARKER_WORDS - 1) * 4 && !word.n_markers);
	CHECK(!graph_markers_equip(&word));
}

int main(void)
{
	test_words();
	test_added();
	test_none();
	test_kinds();
	test_kernels();
	test_linear();
	test_refused();
	return 0;
}
