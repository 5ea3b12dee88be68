/*
 * test_graph_snapshot.c - the rows of a graph's nodes: what is in each when the graph is
 * instantiated, and after every change.
 */
#include "record/graphs/graph_snapshot.h"

#include "graphs/snapshot_case.h"
#include "support/check.h"

static struct graph_row *const graphs = snapshot_case.graphs; /* by id */
static struct graph_node_row *const nodes = snapshot_case.nodes;

/* Return the row written for the node with index i, if the first node has row `first`. */
static struct graph_node_row written(uint32_t first, uint32_t i, uint64_t graph, uint8_t work)
{
	return (struct graph_node_row){.number = graph,
				       .handle = 0x100 + i,
				       .next = i + 1 < snapshot_case.n ? first + i + 1 : 0,
				       .index = i,
				       .holder = i / 2,
				       .stack = 500 + i,
				       .work = work,
				       .source = GRAPH_NODE_ADDED,
				       .flags = i & 1 ? GRAPH_NODE_COPIED : 0};
}

/* The same with the parameters of the kernel with that index. */
static struct graph_node_row with_kernel(struct graph_node_row row, uint32_t kernel)
{
	row.function = 70 + kernel;
	row.shared_bytes = 80 + kernel;
	for (uint32_t i = 0; i < 3; i++) {
		row.grid[i] = 10 + 10 * i + kernel;
		row.block[i] = 40 + 10 * i + kernel;
	}
	row.argument_bytes = (uint32_t)snapshot_case.argument_copied;
	memset(row.arguments, (int)row.function, snapshot_case.argument_copied);
	return row;
}

static void check_node(uint32_t id, struct graph_node_row wanted)
{
	CHECK(id <= snapshot_case.n_nodes && !memcmp(&nodes[id], &wanted, sizeof(wanted)));
}

static void check_graph(uint32_t id, struct graph_row wanted)
{
	CHECK(id <= snapshot_case.n_graphs && !memcmp(&graphs[id], &wanted, sizeof(wanted)));
}

static struct graph_snapshot take(void)
{
	return graph_snapshot_take(&snapshot_cache, (CUgraph)0x66, (CUgraphExec)0x55, 44);
}

static void check_snapshot(const struct graph_snapshot *got, struct graph_snapshot wanted)
{
	CHECK_EQUAL(got->number, wanted.number);
	CHECK_EQUAL(got->row, wanted.row);
	CHECK_EQUAL(got->version, wanted.version);
	CHECK_EQUAL(got->cursor, wanted.cursor);
	CHECK(got->is_launched == wanted.is_launched);
}

static void test_kinds(void)
{
	static const uint8_t works[] = {
		WORK_KERNEL,       WORK_COPY,         WORK_MEMSET,    WORK_HOST_FUNC,
		WORK_GRAPH,        NODE_WORK_NONE,    NODE_WORK_NONE, NODE_WORK_NONE,
		NODE_WORK_NONE,    NODE_WORK_NONE,    NODE_WORK_NONE, NODE_WORK_NONE,
		WORK_MEMOP,        NODE_WORK_NONE,    WORK_COPY,      NODE_WORK_UNKNOWN,
		NODE_WORK_UNKNOWN, NODE_WORK_UNKNOWN, WORK_COPY,      NODE_WORK_UNKNOWN};
	snapshot_case.n_room = snapshot_case.n_graph_room = SNAPSHOT_ROWS;
	snapshot_case.n = sizeof(works);
	for (uint32_t i = 0; i < snapshot_case.n; i++)
		snapshot_case.types[i] = (CUgraphNodeType)i;
	snapshot_case.updatable = snapshot_case.cooperative = snapshot_case.parameters = ~1U;
	struct graph_snapshot snapshot = take();
	check_snapshot(&snapshot, (struct graph_snapshot){.number = 1, .row = 1});
	check_graph(1, (struct graph_row){.number = 1,
					  .handle = 0x55,
					  .first = 1,
					  .n_nodes = snapshot_case.n,
					  .stack = 44});
	for (uint32_t i = 0; i < snapshot_case.n; i++)
		check_node(i + 1, written(1, i, 1, works[i]));
	CHECK_TRACE("");
}

/* Begin with four nodes: three kernels, a copy. */
static struct graph_snapshot take_four(void)
{
	snapshot_case = (struct snapshot_case){.n_graph_room = SNAPSHOT_ROWS,
					       .n_room = SNAPSHOT_ROWS,
					       .argument_size = 8,
					       .argument_copied = 8};
	snapshot_case.n = 4;
	snapshot_case.types[2] = CU_GRAPH_NODE_TYPE_MEMCPY;
	snapshot_case.parameters = 0xb;
	return take();
}

static void test_kernels(void)
{
	struct graph_snapshot snapshot = take_four();
	CHECK_EQUAL(snapshot.number, 2);
	snapshot_case.updatable = 2;
	snapshot_case.cooperative = 8;
	snapshot_case.flags = GRAPH_NODES_HIDDEN;
	snapshot_case.argument_size = 9;
	snapshot = take();
	check_snapshot(&snapshot, (struct graph_snapshot){.number = 3, .row = 2});
	check_graph(2, (struct graph_row){.number = 3,
					  .handle = 0x55,
					  .first = 5,
					  .n_nodes = 4,
					  .flags = GRAPH_NODES_HIDDEN,
					  .stack = 44});
	for (uint32_t i = 0; i < 4; i++) {
		uint8_t work = i == 2 ? WORK_COPY : WORK_KERNEL;
		struct graph_node_row row = written(1, i, 2, work);
		check_node(1 + i, i == 2 ? row : with_kernel(row, i));
		row = written(5, i, 3, work);
		row.flags |= i == 1 ? GRAPH_NODE_UPDATABLE : 0;
		row.flags |= i == 3 ? GRAPH_NODE_COOPERATIVE : 0;
		row.flags |= i != 2 ? GRAPH_NODE_ARGUMENTS_CUT : 0;
		check_node(5 + i, i == 2 ? row : with_kernel(row, i));
	}
}

static void test_room(void)
{
	(void)take_four();
	snapshot_case.flags = GRAPH_NODES_HIDDEN;
	snapshot_case.n_room = snapshot_case.n_nodes + 2;
	struct graph_snapshot snapshot = take();
	check_graph(2, (struct graph_row){.number = snapshot.number,
					  .handle = 0x55,
					  .first = 5,
					  .n_nodes = 4,
					  .flags = GRAPH_NODES_HIDDEN | GRAPH_NODES_LOST,
					  .stack = 44});
	CHECK(nodes[5].next == 6 && !nodes[6].next);
	snapshot_case.n_room = SNAPSHOT_ROWS;
	snapshot_case.n_graph_room = 2;
	CHECK_TRACE("");
	snapshot = take();
	CHECK(snapshot.number && !snapshot.row);
	CHECK_TRACE("give node 7\ngive node 8\ngive node 9\ngive node 10\n");
	snapshot_case.n_graph_room = SNAPSHOT_ROWS;
}

/* Nothing happens to a graph without a row. */
static void test_no_row(void)
{
	struct graph_snapshot none = {.number = 3};
	(void)take_four();
	struct graph_row graph = graphs[1];
	graph_snapshot_mark(&none, 7, 3, true);
	graph_snapshot_set_marked(&none, 2);
	graph_snapshot_note_checks(&none);
	graph_snapshot_distrust(&none);
	graph_snapshot_note_code(&none, (CUcontext)0x88);
	graph_snapshot_set_enabled(&none, snapshot_node(0), false);
	graph_snapshot_drop(&none);
	CHECK_EQUAL(graph_snapshot_stack(&none), 0);
	check_snapshot(&none, (struct graph_snapshot){.number = 3});
	check_graph(1, graph);
	CHECK_TRACE("");
}

static void test_graph_row(void)
{
	struct graph_snapshot snapshot = take_four();
	struct graph_row graph = graphs[1];
	CHECK_EQUAL(graph_snapshot_stack(&snapshot), 44);
	graph_snapshot_mark(&snapshot, 7, 3, true);
	CHECK_TRACE("write graph 1\n");
	graph.marker_interval = 7;
	graph.n_markers = graph.marked = 3;
	graph.is_linear = 1;
	check_graph(1, graph);
	graph_snapshot_set_marked(&snapshot, 2);
	graph.marked = 2;
	check_graph(1, graph);
	graph_snapshot_note_checks(&snapshot);
	graph.flags = GRAPH_HAS_CHECKS;
	check_graph(1, graph);
	graph_snapshot_distrust(&snapshot);
	graph.flags |= GRAPH_NODES_CHANGED;
	check_graph(1, graph);
	nodes[1].flags |= GRAPH_NODE_DISABLED;
	graph_snapshot_note_code(&snapshot, (CUcontext)0x88);
	CHECK_TRACE("launched 901 in 88\nlaunched 903 in 88\n");
	graph_snapshot_drop(&snapshot);
	CHECK_TRACE("give node 1\ngive node 2\ngive node 3\ngive node 4\ngive graph 1\n");
	check_snapshot(&snapshot, (struct graph_snapshot){0});
}

static void set_kernel(struct graph_snapshot *snapshot, uint32_t node, uint32_t kernel)
{
	const CUDA_KERNEL_NODE_PARAMS params = snapshot_params(kernel);
	graph_snapshot_set_kernel(&snapshot_cache, snapshot, snapshot_node(node), &params);
}

/* Only the first change after a launch keeps the older state. */
static void test_set_kernel(void)
{
	struct graph_snapshot snapshot = take_four();
	struct graph_node_row row = nodes[2];
	set_kernel(&snapshot, 1, 5);
	CHECK_TRACE("write node 2\n");
	row = with_kernel(row, 5);
	check_node(2, row);
	check_snapshot(&snapshot,
		       (struct graph_snapshot){.number = snapshot.number, .row = 1, .cursor = 3});
	snapshot.is_launched = true;
	nodes[2].flags |= GRAPH_NODE_ARGUMENTS_CUT | GRAPH_NODE_DISABLED;
	row = nodes[2];
	set_kernel(&snapshot, 1, 6);
	CHECK_TRACE("give node 5\nwrite node 2\n");
	check_node(5, row);
	row = with_kernel(row, 6);
	row.flags = GRAPH_NODE_COPIED | GRAPH_NODE_DISABLED;
	row.older = 5;
	row.version = 1;
	check_node(2, row);
	check_snapshot(&snapshot,
		       (struct graph_snapshot){
			       .number = snapshot.number, .row = 1, .version = 1, .cursor = 3});
	set_kernel(&snapshot, 1, SNAPSHOT_NO_KERNEL - 0x900);
	CHECK_TRACE("write node 2\n");
	struct graph_node_row unknown = with_kernel(row, SNAPSHOT_NO_KERNEL - 0x900);
	memcpy(unknown.arguments, row.arguments, sizeof(row.arguments));
	unknown.function = unknown.argument_bytes = 0;
	check_node(2, unknown);
	CHECK_EQUAL(snapshot_case.n_nodes, 5);
	CHECK_EQUAL(graphs[1].flags, 0);
	/* Neither a copy nor an unknown node is changed. */
	row = nodes[3];
	snapshot.is_launched = true;
	set_kernel(&snapshot, 2, 5);
	CHECK_EQUAL(graphs[1].flags, GRAPH_NODES_CHANGED);
	graphs[1].flags = 0;
	set_kernel(&snapshot, 9, 5);
	CHECK_EQUAL(graphs[1].flags, GRAPH_NODES_CHANGED);
	check_node(3, row);
	CHECK(snapshot.is_launched && snapshot.version == 1 && snapshot.cursor == 4);
	CHECK_TRACE("");
}

static void test_set_enabled(void)
{
	struct graph_snapshot snapshot = take_four();
	nodes[4].handle = 0x100; /* twice in the list */
	struct graph_node_row row = nodes[1];
	snapshot.is_launched = true;
	graph_snapshot_set_enabled(&snapshot, snapshot_node(0), false);
	CHECK_TRACE("give node 5\nwrite node 1\n");
	check_node(5, row);
	row.flags = GRAPH_NODE_DISABLED;
	row.older = 5;
	row.version = 1;
	check_node(1, row);
	CHECK(snapshot.cursor == 2 && snapshot.version == 1 && !snapshot.is_launched);
	/* The next search starts after it, up to the end, and then from the start. */
	snapshot_case.n_room = snapshot_case.n_nodes;
	graph_snapshot_set_enabled(&snapshot, snapshot_node(0), false);
	CHECK_TRACE("give node 0\nwrite node 4\n");
	CHECK(nodes[4].version == 1 && !nodes[4].older && snapshot.cursor == 0);
	CHECK_EQUAL(nodes[4].flags, GRAPH_NODE_COPIED | GRAPH_NODE_DISABLED);
	snapshot.cursor = 3;
	graph_snapshot_set_enabled(&snapshot, snapshot_node(1), true);
	CHECK_TRACE("give node 0\nwrite node 2\n");
	CHECK(nodes[2].flags == GRAPH_NODE_COPIED && snapshot.cursor == 3);
	graph_snapshot_set_enabled(&snapshot, snapshot_node(0), true);
	CHECK_TRACE("write node 4\n");
	CHECK_EQUAL(nodes[4].flags, GRAPH_NODE_COPIED);
	snapshot_case.n_room = SNAPSHOT_ROWS;
	CHECK_EQUAL(graphs[1].flags, 0);
	snapshot.is_launched = true;
	snapshot.cursor = 2;
	graph_snapshot_set_enabled(&snapshot, snapshot_node(9), true);
	CHECK_EQUAL(graphs[1].flags, GRAPH_NODES_CHANGED);
	CHECK(snapshot.is_launched && snapshot.cursor == 2);
	CHECK_TRACE("");
}

int main(void)
{
	test_kinds();
	test_kernels();
	test_room();
	test_no_row();
	test_graph_row();
	test_set_kernel();
	test_set_enabled();
	return 0;
}
