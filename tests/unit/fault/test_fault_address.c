/*
 * test_fault_address.c - an address that follows from arguments: what else the verdict says then.
 */
#include <string.h>

#include "support/check.h"
#include "support/graph_builder.h"
#include "support/verdict_case.h"

#define MEMORY 0x700000000000
/* An index of four-byte elements that leads far away from the memory. */
#define FAR_INDEX ((uint64_t)1 << 38)
#define FAR_PAGE  ((MEMORY + 4 * FAR_INDEX) & -(uint64_t)FAULT_PAGE_SIZE)

static void add_page(struct verdict_case *c, enum fault_kind kind)
{
	uint32_t id;
	struct fault_row *row = builder_rows(&c->builder, JOURNAL_FAULTS, 1, &id);
	*row = (struct fault_row){
		.kind = (uint8_t)kind, .flags = FAULT_ADDRESS_PAGE, .address = FAR_PAGE};
}

/* Work with pointers to this memory. */
static struct verdict_case *begin_without_page(uint32_t *out_function)
{
	static const uint32_t sizes[] = {8, 8};
	struct verdict_case *c = case_begin();
	(void)builder_range(&c->builder, MEMORY, 0x8000, 0);
	*out_function = builder_function(&c->builder, "put", 2, sizes);
	return c;
}

/* The same, and a page fault. */
static struct verdict_case *begin(uint32_t *out_function)
{
	struct verdict_case *c = begin_without_page(out_function);
	add_page(c, FAULT_EVENT);
	return c;
}

/* The same, and only the driver's list of n faults. */
static struct verdict_case *begin_with_list(uint32_t *out_function, uint32_t n)
{
	struct verdict_case *c = begin_without_page(out_function);
	uint32_t id;
	struct fault_row *list = builder_rows(&c->builder, JOURNAL_FAULTS, 1, &id);
	*list = (struct fault_row){.kind = FAULT_MMU_LIST_READ, .count = n};
	for (uint32_t i = 0; i < n; i++)
		add_page(c, FAULT_MMU);
	return c;
}

static struct journal_record *launch(struct verdict_case *c, uint32_t stream, uint32_t function,
				     uint64_t index)
{
	const uint64_t arguments[] = {MEMORY + 0x10, index};
	return builder_launch(&c->builder, CASE_TID, stream, function, arguments,
			      sizeof(arguments));
}

/* #2 comes after a side marker that is missing, but it is not named: the address is of #1. */
static void test_missing_markers_do_not_weaken_likely(void)
{
	uint32_t function;
	struct verdict_case *c = begin(&function);
	uint32_t stream = case_stream(c);
	launch(c, stream, function, FAR_INDEX)->flags |= RECORD_MARKED_SIDE;
	launch(c, stream, function, 7);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_LIKELY, 1);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_FAULT_ADDRESS)->count, 1);
	CHECK(!case_evidence(c, EVIDENCE_MARKERS_LAG));
	CHECK(!case_evidence(c, EVIDENCE_MARKERS_SPARSE));
	case_end(c);
}

/* Launch a graph of n nodes, at most 3, of which the last has the index. */
static uint32_t launch_graph(struct verdict_case *c, uint32_t function, uint32_t n)
{
	static const uint8_t works[] = {WORK_KERNEL, WORK_KERNEL, WORK_KERNEL};
	uint32_t graph = builder_graph(&c->builder, 0x9000, works, n);
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t arguments[] = {MEMORY, i + 1 < n ? 7 + i : FAR_INDEX};
		struct graph_node_row *node = builder_node_row(&c->builder, graph, i);
		node->function = function;
		node->argument_bytes = sizeof(arguments);
		memcpy(node->arguments, arguments, sizeof(arguments));
	}
	builder_launch_graph(&c->builder, CASE_TID, case_stream(c), graph, 0);
	return graph;
}

static void test_a_node_with_the_index_comes_first(void)
{
	uint32_t function;
	struct verdict_case *c = begin(&function);
	launch_graph(c, function, 3);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.graph.certainty, GRAPH_LIKELY);
	CHECK_EQUAL(c->verdict.graph.n_candidates, 3);
	CHECK_EQUAL(c->verdict.graph.candidates[0].index, 2);
	case_end(c);
}

/* Another node may have failed if some are not known. The only one needs no address. */
static void test_an_index_does_not_change_what_is_known(void)
{
	for (uint32_t n = 1; n <= 3; n += 2) {
		uint32_t function;
		struct verdict_case *c = begin(&function);
		uint32_t graph = launch_graph(c, function, n);
		builder_graph_row(&c->builder, graph)->flags = n == 1 ? 0 : GRAPH_NODES_LOST;
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_VERDICT(c, VERDICT_EXACT, 1);
		CHECK_EQUAL(c->verdict.graph.certainty, n == 1 ? GRAPH_EXACT : GRAPH_UNKNOWN);
		case_end(c);
	}
}

/* The driver's list drops its oldest faults, of which one may have been another launch's. */
static void test_a_full_list_only_ranks(void)
{
	for (uint32_t n = 2; n <= 3; n++) {
		uint32_t function;
		struct verdict_case *c = begin_with_list(&function, n);
		launch(c, case_stream(c), function, 7);
		launch(c, case_stream(c), function, FAR_INDEX);
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_VERDICT(c, n == 2 ? VERDICT_LIKELY : VERDICT_NARROWED, 2);
		CHECK_EQUAL(c->verdict.n_suspects, n == 2 ? 1 : 2);
		case_end(c);
		c = begin_with_list(&function, n);
		launch_graph(c, function, 3);
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_EQUAL(c->verdict.graph.certainty, n == 2 ? GRAPH_LIKELY : GRAPH_NARROWED);
		CHECK_EQUAL(c->verdict.graph.candidates[0].index, 2);
		case_end(c);
	}
}

int main(void)
{
	test_a_full_list_only_ranks();
	test_missing_markers_do_not_weaken_likely();
	test_a_node_with_the_index_comes_first();
	test_an_index_does_not_change_what_is_known();
	return 0;
}
