/*
 * test_fault_graph.c - the launch of a graph beside the program counter of an exception: it is
 * cleared only if each of its nodes is known to run other code.
 */
#include <string.h>

#include "fault/fault_case.h"
#include "support/graph_builder.h"

/* A case with the launch of a graph that runs kernels 1, 2 and 4; the exception is in kernel 3. */
struct graph_case {
	struct verdict_case *c;
	uint32_t graph;
	uint64_t launch; /* its sequence */
};

static struct graph_case begin_with(const uint32_t functions[3])
{
	static const uint8_t works[] = {WORK_KERNEL, WORK_KERNEL, WORK_KERNEL};
	struct graph_case g = {.c = fault_begin()};
	uint32_t stream = case_stream(g.c);
	g.graph = builder_graph(&g.c->builder, 0x9000, works, 3);
	for (uint32_t i = 0; i < 3; i++)
		builder_node_row(&g.c->builder, g.graph, i)->function = functions[i];
	g.launch = builder_launch_graph(&g.c->builder, CASE_TID, stream, g.graph, 0)->sequence;
	fault_add_exception(g.c, PC);
	return g;
}

static struct graph_case begin(void)
{
	struct graph_case g = begin_with((const uint32_t[]){1, 2, 4});
	fault_add_words(g.c);
	return g;
}

/* Judge. The kernel at the program counter is suspect, and the graph if it `stays`. */
static void finish(struct graph_case g, bool stays)
{
	fault_judge(g.c);
	CHECK_EQUAL(g.c->verdict.n_suspects, 1 + stays);
	CHECK(case_suspects(g.c, 5));
	CHECK_EQUAL(case_suspects(g.c, g.launch), stays);
	case_end(g.c);
}

static void test_other_code_clears_the_graph(void)
{
	finish(begin(), false);
}

/* Nodes that cannot raise the code clear the graph only where the code of kernels is known. */
static void test_a_graph_of_copies(void)
{
	for (int is_known = 0; is_known < 2; is_known++) {
		struct graph_case g = begin_with((const uint32_t[]){1, 2, 4});
		for (uint32_t i = 0; i < 3; i++)
			builder_node_row(&g.c->builder, g.graph, i)->work = WORK_COPY;
		if (is_known)
			fault_add_words(g.c);
		fault_judge(g.c);
		CHECK_EQUAL(g.c->verdict.n_suspects, is_known ? 1 : N_KERNELS + 1);
		CHECK_EQUAL(case_suspects(g.c, g.launch), !is_known);
		case_end(g.c);
	}
}

static void test_unknown_work_stays(void)
{
	struct graph_case g = begin();
	builder_node_row(&g.c->builder, g.graph, 1)->work = NODE_WORK_UNKNOWN;
	finish(g, true);
}

/* The nodes are those of a graph whose rows are not all there, or may have changed. */
static void test_unknown_nodes_stay(void)
{
	static const uint32_t flags[] = {GRAPH_NODES_LOST, GRAPH_NODES_HIDDEN, GRAPH_NODES_CHANGED};
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		struct graph_case g = begin();
		builder_graph_row(&g.c->builder, g.graph)->flags = flags[i];
		finish(g, true);
	}
	struct graph_case g = begin();
	builder_graph_row(&g.c->builder, g.graph)->number++; /* the row was used again */
	finish(g, true);
}

/* A marker says that the node at the program counter had finished, which may be wrong. */
static void test_a_finished_node_stays(void)
{
	struct graph_case g = begin_with((const uint32_t[]){3, 1, 2});
	struct graph_row *row = builder_graph_row(&g.c->builder, g.graph);
	fault_add_words(g.c);
	row->marker_interval = 1;
	row->n_markers = 3;
	row->marked = 1;
	row->is_linear = 1;
	finish(g, true);
}

static void test_a_node_of_unknown_code_stays(void)
{
	struct graph_case g = begin_with((const uint32_t[]){2, 4, 2});
	for (uint32_t i = 1; i < N_KERNELS; i++)
		fault_add_word(g.c, i, WORD, fault_starts[i]);
	fault_add_word(g.c, 4, WORD, fault_starts[4])->flags = 0;
	fault_judge(g.c);
	CHECK(case_suspects(g.c, g.launch) && case_suspects(g.c, 7) && case_suspects(g.c, 5));
	CHECK_EQUAL(g.c->verdict.n_suspects, 3);
	case_end(g.c);
}

static void test_a_node_that_launches_stays(void)
{
	struct graph_case g = begin();
	case_judge(g.c, MISALIGNED);
	fault_code_facts[4] = CODE_LAUNCHES;
	fault_judge(g.c);
	CHECK(case_suspects(g.c, g.launch) && case_suspects(g.c, 7) && case_suspects(g.c, 5));
	CHECK_EQUAL(g.c->verdict.n_suspects, 3);
	case_end(g.c);
}

/*
 * Another suspect may have launched the kernel at the program counter. If the graph is the culprit,
 * the program counter does not tell its nodes apart.
 */
static void test_a_graph_elsewhere_has_all_its_nodes(void)
{
	struct graph_case g = begin_with((const uint32_t[]){1, 2, 2});
	fault_add_words(g.c);
	for (uint32_t stream = 1; stream <= N_KERNELS; stream++)
		fault_settle(g.c, stream);
	builder_launch(&g.c->builder, CASE_TID, case_stream(g.c), 4, NULL, 0);
	case_judge(g.c, MISALIGNED);
	fault_sizes[1] = (struct code_size){.least = 0};
	fault_code_facts[4] = CODE_LAUNCHES;
	fault_judge(g.c);
	CHECK_EQUAL(g.c->verdict.n_suspects, 2);
	CHECK_EQUAL(g.c->verdict.suspects[0].record.sequence, g.launch);
	CHECK_EQUAL(g.c->verdict.graph.n_candidates, 3);
	CHECK_EQUAL(g.c->verdict.graph.certainty, GRAPH_NARROWED);
	CHECK_EQUAL(g.c->verdict.fault_code.function, 0);
	case_end(g.c);
}

/* Only a kernel runs the function that its row has. Other work does not explain the fault. */
static void test_other_work_with_a_function(void)
{
	for (int is_kernel = 0; is_kernel < 2; is_kernel++) {
		struct graph_case g = begin_with((const uint32_t[]){1, 3, 4});
		builder_node_row(&g.c->builder, g.graph, 1)->work =
			is_kernel ? WORK_KERNEL : NODE_WORK_UNKNOWN;
		fault_add_words(g.c);
		fault_settle(g.c, 3);
		fault_judge(g.c);
		CHECK_EQUAL(case_evidence(g.c, EVIDENCE_FAULT_REFUSED) == NULL, is_kernel);
		CHECK_EQUAL(g.c->verdict.n_suspects, is_kernel ? 1 : N_KERNELS);
		CHECK(case_suspects(g.c, g.launch));
		case_end(g.c);
	}
}

/*
 * An exception has no program counter, so the other one clears no node: that with the index counts,
 * although it runs other code.
 */
static void test_a_node_elsewhere_may_have_the_index(void)
{
	const uint64_t memory = 0x700000000000;
	const uint64_t arguments[] = {memory, (uint64_t)1 << 40};
	struct graph_case g = begin_with((const uint32_t[]){1, 3, 3});
	fault_add_words(g.c);
	fault_add_exception(g.c, 0);
	for (uint32_t id = 2; id <= 3; id++) {
		struct fault_row *row = builder_fault_row(&g.c->builder, id);
		row->warp_esr = 0x0e; /* an access */
		row->flags |= FAULT_ADDRESS_BYTE;
		row->address = arguments[0] + arguments[1];
	}
	(void)builder_range(&g.c->builder, memory, 0x8000, 0);
	builder_function_row(&g.c->builder, 1)->n_parameters = UINT32_MAX;
	struct graph_node_row *node = builder_node_row(&g.c->builder, g.graph, 0);
	node->argument_bytes = sizeof(arguments);
	memcpy(node->arguments, arguments, sizeof(arguments));
	fault_judge_code(g.c, 700);
	CHECK_VERDICT(g.c, VERDICT_LIKELY, g.launch);
	CHECK_EQUAL(g.c->verdict.graph.certainty, GRAPH_LIKELY);
	CHECK_EQUAL(g.c->verdict.graph.candidates[0].index, 0);
	case_end(g.c);
}

int main(void)
{
	test_a_node_elsewhere_may_have_the_index();
	test_other_code_clears_the_graph();
	test_a_graph_of_copies();
	test_unknown_work_stays();
	test_unknown_nodes_stay();
	test_a_finished_node_stays();
	test_a_node_of_unknown_code_stays();
	test_a_node_that_launches_stays();
	test_a_graph_elsewhere_has_all_its_nodes();
	test_other_work_with_a_function();
	return 0;
}
