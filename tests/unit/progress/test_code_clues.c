/*
 * test_code_clues.c - what the code of kernels rules out, and where it must not.
 */
#include <stdlib.h>

#include "support/check.h"
#include "support/graph_builder.h"
#include "support/verdict_case.h"
#include "support/words_case.h"

enum { CODE_ASSERT = 710, N_FUNCTIONS = 8 };

static uint8_t code_facts[N_FUNCTIONS];

static void judge(struct verdict_case *c, uint32_t n_functions)
{
	const struct attribution_facts facts = {.code = code_facts, .n_functions = n_functions};
	size_t size = attribution_scratch(&c->view);
	void *scratch = malloc(size);
	CHECK(scratch);
	CHECK_EQUAL(attribute_with_facts(&c->view, &facts, scratch, size, &c->verdict), 0);
	free(scratch);
}

/* Two streams with a kernel each; both kernels are suspects as far as the journal goes. */
static struct verdict_case *begin(int32_t code)
{
	struct verdict_case *c = case_begin();
	for (int i = 0; i < 2; i++) {
		uint32_t stream = case_stream(c);
		uint32_t function = builder_function(&c->builder, i ? "b" : "a", 0, NULL);
		builder_launch(&c->builder, CASE_TID, stream, function, NULL, 0);
		builder_submit(&c->builder, CASE_TID, stream, WORK_COPY);
	}
	memset(code_facts, 0, sizeof(code_facts));
	case_judge(c, code);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK(!case_evidence(c, EVIDENCE_CODE));
	return c;
}

static void test_cleared(void)
{
	struct verdict_case *c = begin(CODE_ASSERT);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	code_facts[1] = CODE_ASSERTS_NEVER;
	judge(c, N_FUNCTIONS);
	CHECK_EQUAL(c->verdict.class, VERDICT_EXACT);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 3);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_CODE)->count, 1);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_CLASS)->count, 2); /* the copies, as before */
	judge(c, 1);                                             /* not asked of so high an id */
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	code_facts[1] = 0;
	judge(c, N_FUNCTIONS);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	case_end(c);
}

/* No suspect is left: some of the clues are wrong, so none of them are used. */
static void test_nobody(void)
{
	struct verdict_case *c = begin(CODE_ASSERT);
	memset(code_facts, CODE_ASSERTS_NEVER, sizeof(code_facts));
	judge(c, N_FUNCTIONS);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(!case_evidence(c, EVIDENCE_CODE));
	case_end(c);
}

/* A launch of an unknown kernel stays a suspect, and so does any kernel for other codes. */
static void test_others(void)
{
	struct verdict_case *c = begin(CODE_ASSERT);
	memset(code_facts, CODE_ASSERTS_NEVER, sizeof(code_facts));
	code_facts[0] = 0;
	case_find(c, 1)->launch.function = 0;
	judge(c, N_FUNCTIONS);
	CHECK_EQUAL(c->verdict.class, VERDICT_EXACT);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 1);
	case_end(c);
	c = begin(716);
	code_facts[1] = CODE_ASSERTS_NEVER;
	judge(c, N_FUNCTIONS);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	case_end(c);
}

/* With core dumps on, the journal alone proves nothing. */
static void test_coredumps(void)
{
	struct verdict_case *c = begin(CODE_ASSERT);
	builder_failure_row(&c->builder)->flags |= FAILURE_COREDUMPS;
	code_facts[1] = CODE_ASSERTS_NEVER;
	judge(c, N_FUNCTIONS);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(!case_evidence(c, EVIDENCE_CODE));
	case_end(c);
}

/* After a launch failure (719), the kernel with a trap is named first, and no other is cleared. */
static void test_traps(void)
{
	struct verdict_case *c = begin(719);
	code_facts[2] = CODE_TRAPS;
	judge(c, N_FUNCTIONS);
	CHECK_EQUAL(c->verdict.n_suspects, 4); /* the copies, too */
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 3);
	CHECK_EQUAL(c->verdict.lead, LEAD_TRAP);
	code_facts[1] = CODE_TRAPS;
	judge(c, N_FUNCTIONS);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 1);
	CHECK(c->verdict.lead != LEAD_TRAP);
	case_end(c);
	c = begin(700);
	code_facts[2] = CODE_TRAPS;
	judge(c, N_FUNCTIONS);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 1);
	case_end(c);
}

/* A trap does not put a kernel first if the progress counters would have cleared it. */
static void test_traps_of_spared(void)
{
	struct verdict_case *c = words_begin(2);
	uint32_t idle = case_stream(c);
	words_launch(c, idle, 2, 0);
	words_set_state(c, 2, 5, 1); /* finished */
	words_submit(c, case_stream(c), WORK_GRAPH);
	words_launch(c, case_stream(c), 1, 0);
	case_find(c, 4)->launch.function = builder_function(&c->builder, "traps", 0, NULL);
	memset(code_facts, 0, sizeof(code_facts));
	code_facts[case_find(c, 4)->launch.function] = CODE_TRAPS;
	case_judge(c, 719);
	judge(c, N_FUNCTIONS);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 3);
	CHECK_EQUAL(c->verdict.lead, LEAD_NONE);
	case_find(c, 3)->progress.channel = 0; /* it has no progress counter at all */
	judge(c, N_FUNCTIONS);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 3);
	CHECK_EQUAL(c->verdict.lead, LEAD_COUNTERS);
	case_end(c);
}

static uint32_t the_graph;
static uint32_t node_functions[2];

/* Launch a graph with two kernels and a copy. */
static struct journal_record *launch_graph(struct verdict_case *c, uint32_t stream)
{
	static const uint8_t works[] = {WORK_KERNEL, WORK_KERNEL, WORK_COPY};
	uint32_t graph = the_graph = builder_graph(&c->builder, 0x9000, works, 3);
	for (uint32_t i = 0; i < 2; i++) {
		node_functions[i] = builder_function(&c->builder, i ? "b" : "a", 0, NULL);
		builder_node_row(&c->builder, graph, i)->function = node_functions[i];
	}
	memset(code_facts, 0, sizeof(code_facts));
	return builder_launch_graph(&c->builder, CASE_TID, stream, graph, 0);
}

static struct verdict_case *begin_graph(void)
{
	struct verdict_case *c = case_begin();
	(void)launch_graph(c, case_stream(c));
	return c;
}

static void check_graph(struct verdict_case *c, enum graph_certainty certainty, uint64_t n_nodes)
{
	judge(c, N_FUNCTIONS);
	CHECK_EQUAL(c->verdict.class, VERDICT_EXACT);
	CHECK_EQUAL(c->verdict.graph.certainty, certainty);
	CHECK_EQUAL(c->verdict.graph.n_candidates, n_nodes);
}

static void test_nodes_are_cleared(void)
{
	struct verdict_case *c = begin_graph();
	case_judge(c, CODE_ASSERT);
	check_graph(c, GRAPH_NARROWED, 2);
	code_facts[node_functions[0]] = CODE_ASSERTS_NEVER;
	check_graph(c, GRAPH_EXACT, 1);
	CHECK_EQUAL(c->verdict.graph.candidates[0].index, 1);
	code_facts[node_functions[1]] = CODE_ASSERTS_NEVER; /* no node is left */
	check_graph(c, GRAPH_NARROWED, 2);
	case_end(c);
	c = begin_graph();
	case_judge(c, CODE_ASSERT);
	builder_node_row(&c->builder, the_graph, 0)->work = NODE_WORK_UNKNOWN;
	code_facts[node_functions[0]] = CODE_ASSERTS_NEVER;
	check_graph(c, GRAPH_NARROWED, 2); /* what it runs is not known */
	case_end(c);
	c = begin_graph();
	case_judge(c, 719);
	code_facts[node_functions[0]] = CODE_ASSERTS_NEVER;
	check_graph(c, GRAPH_NARROWED, 3);
	case_end(c);
}

/* Where a launch has its kernel, a graph's record has its handle, which may be any number. */
static void test_a_handle_is_no_kernel(void)
{
	struct verdict_case *c = begin_graph();
	builder_graph_row(&c->builder, the_graph)->handle = node_functions[0];
	case_find(c, 1)->graph.handle = node_functions[0];
	builder_launch(&c->builder, CASE_TID, case_stream(c), node_functions[1], NULL, 0);
	case_judge(c, CODE_ASSERT);
	code_facts[node_functions[0]] = CODE_ASSERTS_NEVER;
	judge(c, N_FUNCTIONS);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(case_suspects(c, 1));
	case_end(c);
}

/* With core dumps on, the journal alone proves nothing about nodes either. */
static void test_nodes_are_not_cleared(void)
{
	struct verdict_case *c = begin_graph();
	case_judge(c, CODE_ASSERT);
	builder_failure_row(&c->builder)->flags |= FAILURE_COREDUMPS;
	code_facts[node_functions[0]] = CODE_ASSERTS_NEVER;
	judge(c, N_FUNCTIONS);
	CHECK_EQUAL(c->verdict.graph.n_candidates, 2);
	case_end(c);
}

int main(void)
{
	test_nodes_are_cleared();
	test_nodes_are_not_cleared();
	test_a_handle_is_no_kernel();
	test_traps();
	test_traps_of_spared();
	test_cleared();
	test_nobody();
	test_others();
	test_coredumps();
	return 0;
}
