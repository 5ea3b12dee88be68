/*
 * test_graph_markers.c - which node of a graph is named if markers in the graph show how far it
 * got.
 */
#include "support/check.h"
#include "support/graph_case.h"

/* Markers after every interval-th kernel, of which `marked` have landed. */
static struct graph_row *mark(struct graph_case *g, uint32_t interval, uint32_t n_markers,
			      uint32_t marked)
{
	struct graph_row *row = builder_graph_row(&g->c->builder, g->graph);
	row->marker_interval = interval;
	row->n_markers = n_markers;
	row->marked = marked;
	row->is_linear = 1;
	return row;
}

static const uint8_t five_kernels[] = {WORK_KERNEL, WORK_COPY,      WORK_KERNEL, WORK_KERNEL,
				       WORK_KERNEL, NODE_WORK_NONE, WORK_KERNEL, WORK_COPY};

/* Judges the eight nodes above. Checks which node is named first, and how many are left. */
static void check_marked(struct graph_case *g, enum graph_certainty certainty, uint64_t n_finished,
			 uint64_t n_candidates, uint32_t first)
{
	const struct graph_claim *claim = graph_case_judge(g, 0, ILLEGAL_ADDRESS);
	CHECK_EQUAL(claim->certainty, certainty);
	CHECK_EQUAL(claim->n_finished, n_finished);
	CHECK_EQUAL(claim->n_candidates, n_candidates);
	CHECK_EQUAL(claim->candidates[0].index, first);
	CHECK_EQUAL(g->c->verdict.class, VERDICT_EXACT); /* of the launch */
	case_end(g->c);
}

static struct graph_case begin_marked(uint32_t interval, uint32_t n_markers, uint32_t marked)
{
	struct graph_case g = graph_case_begin(five_kernels, sizeof(five_kernels));
	(void)mark(&g, interval, n_markers, marked);
	return g;
}

/* A marker that has not landed may be late: it decides only which node is listed first. */
static void test_markers(void)
{
	struct graph_case g = begin_marked(1, 5, 0);
	check_marked(&g, GRAPH_NARROWED, 0, 7, 0);
	/* The copy after the first kernel comes before the second one's marker. */
	g = begin_marked(1, 5, 1);
	check_marked(&g, GRAPH_NARROWED, 1, 6, 2);
	g = begin_marked(1, 5, 3);
	check_marked(&g, GRAPH_NARROWED, 4, 3, 4);
	/* Nodes that no marker follows come after the last one. */
	g = begin_marked(1, 5, 4);
	check_marked(&g, GRAPH_NARROWED, 5, 2, 6);
	/* Markers follow the 2nd, the 4th and the last kernel. */
	g = begin_marked(2, 3, 1);
	check_marked(&g, GRAPH_NARROWED, 3, 4, 3);
	/*
	 * If all have landed, they may be of this launch or of the one before. More fit no launch.
	 */
	g = begin_marked(1, 5, 5);
	check_marked(&g, GRAPH_NARROWED, 0, 7, 0);
	g = begin_marked(1, 5, 6);
	check_marked(&g, GRAPH_NARROWED, 0, 7, 0);
}

/* The next node in line is listed before kernels after a missing marker, even if it is a copy. */
static void test_first_copy(void)
{
	static const uint8_t works[] = {WORK_KERNEL, WORK_COPY, WORK_KERNEL, WORK_COPY,
					WORK_KERNEL};
	struct graph_case g = graph_case_begin(works, sizeof(works));
	(void)mark(&g, 1, 3, 1);
	graph_case_node(&g, 2)->flags = GRAPH_NODE_DISABLED;
	CHECK_EQUAL(graph_case_judge(&g, 0, ILLEGAL_ADDRESS)->certainty, GRAPH_NARROWED);
	CHECK_EQUAL(g.c->verdict.graph.candidates[0].index, 1);
	CHECK_EQUAL(g.c->verdict.graph.candidates[1].index, 4);
	CHECK_EQUAL(g.c->verdict.graph.candidates[2].index, 3); /* after the next marker */
	case_end(g.c);
}

/* The same if there are so many kernels that the copy was not listed. The last kernel is left out.
 */
static void test_first_copy_before_many(void)
{
	uint8_t works[GRAPH_MAX_CANDIDATES + 3];
	for (size_t i = 0; i < sizeof(works); i++)
		works[i] = i == 0 ? WORK_COPY : WORK_KERNEL;
	struct graph_case g = graph_case_begin(works, sizeof(works));
	(void)mark(&g, 1, sizeof(works) - 1, 0);
	graph_case_node(&g, 1)->flags = GRAPH_NODE_DISABLED;
	const struct graph_claim *claim = graph_case_judge(&g, 0, ILLEGAL_ADDRESS);
	CHECK_EQUAL(claim->certainty, GRAPH_NARROWED);
	CHECK_EQUAL(claim->n_candidates, sizeof(works) - 1);
	CHECK_EQUAL(claim->candidates[0].index, 0);
	for (uint32_t i = 1; i < GRAPH_MAX_CANDIDATES; i++)
		CHECK_EQUAL(claim->candidates[i].index, 1 + i);
	CHECK_EQUAL(g.c->verdict.fault_code.function, 0); /* after the array */
	case_end(g.c);
}

/* Calls that culprit did not see may have changed the graph: no node is named alone. */
static void test_unseen_calls(void)
{
	struct graph_case g = graph_case_begin((const uint8_t[]){WORK_KERNEL, NODE_WORK_NONE}, 2);
	CHECK_EQUAL(graph_case_judge(&g, 0, ILLEGAL_ADDRESS)->certainty, GRAPH_EXACT);
	builder_failure_row(&g.c->builder)->flags = FAILURE_BYPASSED;
	CHECK_EQUAL(case_judge(g.c, ILLEGAL_ADDRESS)->graph.certainty, GRAPH_NARROWED);
	case_end(g.c);
}

/* If the nodes do not form a chain, a marker shows only that the kernel before it finished. */
static void test_markers_of_branches(void)
{
	struct graph_case g = graph_case_begin(five_kernels, sizeof(five_kernels));
	mark(&g, 2, 3, 1)->is_linear = 0;
	check_marked(&g, GRAPH_NARROWED, 1, 6, 0);
	g = graph_case_begin(five_kernels, sizeof(five_kernels));
	mark(&g, 1, 5, 4)->is_linear = 0;
	check_marked(&g, GRAPH_NARROWED, 4, 3, 6);
	/* Kernels of a child graph have no markers. */
	g = graph_case_begin(five_kernels, sizeof(five_kernels));
	graph_case_node(&g, 2)->holder = 1;
	mark(&g, 1, 4, 2)->is_linear = 0;
	check_marked(&g, GRAPH_NARROWED, 2, 5, 2);
}

int main(void)
{
	test_markers();
	test_first_copy();
	test_first_copy_before_many();
	test_unseen_calls();
	test_markers_of_branches();
	return 0;
}
