/*
 * test_coredump_graph.c - core dumps and launches of graphs, and kernels that kernels launched.
 */
#include "support/check.h"
#include "support/coredump_case.h"
#include "support/graph_builder.h"

/* A graph whose nodes are unknown may hold the same kernel. */
static void test_graph(void)
{
	struct story story = story_begin();
	builder_submit(&story.c->builder, CASE_TID, story.other_stream, WORK_GRAPH);
	story_launch(&story, story.stream, story.scatter, 1);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 2, 2);
	story_dump(&story, story.gather, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	case_end(story.c);
}

static void set_node(struct story *story, uint32_t graph, uint32_t index, uint32_t function,
		     uint32_t count)
{
	struct graph_node_row *node = builder_node_row(&story->c->builder, graph, index);
	struct arguments arguments = {0x7f0000001000, count};
	node->function = function;
	for (int i = 0; i < 3; i++)
		node->grid[i] = node->block[i] = 1;
	node->argument_bytes = ARGUMENT_BYTES;
	memcpy(node->arguments, &arguments, ARGUMENT_BYTES);
}

/* A graph whose nodes are known is compared by them, and its node is named. */
static void test_graph_nodes(void)
{
	const uint8_t works[] = {WORK_KERNEL, WORK_MEMSET, WORK_KERNEL};
	struct story story = story_begin();
	uint32_t graph = builder_graph(&story.c->builder, 0x9000, works, 3);
	set_node(&story, graph, 0, story.scatter, 1);
	set_node(&story, graph, 2, story.scatter, 2);
	story_launch(&story, story.stream, story.scatter, 3);
	builder_launch_graph(&story.c->builder, CASE_TID, story.other_stream, graph, 1);
	story_dump(&story, story.scatter, 2);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 2);
	CHECK_EQUAL(story.c->verdict.graph.certainty, GRAPH_EXACT);
	CHECK_EQUAL(story.c->verdict.graph.candidates[0].index, 2);
	/* The dump fits the separate launch, not one of the nodes. */
	story_dump(&story, story.scatter, 3);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 1);
	/* The node is named, but none of its arguments are known: not certain. */
	story_dump(&story, story.scatter, 2);
	builder_node_row(&story.c->builder, graph, 0)->function = story.gather;
	builder_node_row(&story.c->builder, graph, 2)->argument_bytes = 0;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 2);
	story_dump(&story, story.scatter, 3);
	/* A node whose arguments are not all known may have failed. */
	builder_node_row(&story.c->builder, graph, 2)->argument_bytes = 8;
	builder_node_row(&story.c->builder, graph, 2)->flags = GRAPH_NODE_ARGUMENTS_CUT;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 2, 1);
	case_end(story.c);
}

/* Its code has no assertion, but the dump shows one there. */
static void test_graph_node_against_code(void)
{
	const uint8_t works[] = {WORK_KERNEL, WORK_KERNEL};
	struct story story = story_begin();
	struct verdict_case *c = story.c;
	uint32_t graph = builder_graph(&c->builder, 0x9000, works, 2);
	uint8_t code[] = {0, 0, 0};
	code[story.scatter] = CODE_ASSERTS_NEVER;
	set_node(&story, graph, 0, story.scatter, 1);
	set_node(&story, graph, 1, story.gather, 1);
	builder_launch_graph(&c->builder, CASE_TID, story.stream, graph, 1);
	story_dump(&story, story.scatter, 1)->exceptions = 1u << GPU_EXCEPTION_WARP_ASSERT;
	story_judge_code(&story, ASSERT, FAILURE_SYNCS_WATCHED);
	const struct attribution_facts facts = {
		.coredump = &story.fault, .code = code, .n_functions = sizeof(code)};
	size_t size = attribution_scratch(&c->view);
	void *scratch = malloc(size);
	CHECK(scratch);
	CHECK_EQUAL(attribute_with_facts(&c->view, &facts, scratch, size, &c->verdict), 0);
	free(scratch);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	CHECK_EQUAL(c->verdict.graph.certainty, GRAPH_EXACT);
	CHECK_EQUAL(c->verdict.graph.candidates[0].index, 0);
	case_end(c);
}

/* Two nodes are alike, nodes are lost, or arguments are: what fits is likely at most. */
static void test_graph_node_unsure(void)
{
	const uint8_t works[] = {WORK_KERNEL, WORK_KERNEL};
	struct story story = story_begin();
	uint32_t graph = builder_graph(&story.c->builder, 0x9000, works, 2);
	set_node(&story, graph, 0, story.scatter, 1);
	set_node(&story, graph, 1, story.scatter, 1);
	builder_launch_graph(&story.c->builder, CASE_TID, story.stream, graph, 1);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	set_node(&story, graph, 1, story.scatter, 2);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 1);
	builder_graph_row(&story.c->builder, graph)->flags = GRAPH_NODES_LOST;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	builder_graph_row(&story.c->builder, graph)->flags = 0;
	builder_node_row(&story.c->builder, graph, 0)->flags = GRAPH_NODE_ARGUMENTS_CUT;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	case_end(story.c);
}

/*
 * Parameters whose layout is not known were not compared, nor those of a node that kernels may
 * change, nor was another context's launch. Work of an unknown kind need not run the function.
 */
static void test_graph_node_not_compared(void)
{
	enum { UNKNOWN_LAYOUT, NO_PARAMETERS, OTHER_CONTEXT, UPDATABLE, UNKNOWN_WORK, N_CASES };
	for (int i = 0; i < N_CASES; i++) {
		struct story story = story_begin();
		uint32_t graph =
			builder_graph(&story.c->builder, 0x9000, (const uint8_t[]){WORK_KERNEL}, 1);
		struct function_row *row = builder_function_row(&story.c->builder, story.scatter);
		set_node(&story, graph, 0, story.scatter, 1);
		builder_launch_graph(&story.c->builder, CASE_TID, story.stream, graph, 1);
		story_dump(&story, story.scatter, 1);
		story_judge(&story, FAILURE_SYNCS_WATCHED);
		CHECK_VERDICT(story.c, VERDICT_EXACT, 1);
		if (i == OTHER_CONTEXT) {
			story.fault.grids[0].grid.context++;
		} else if (i == UPDATABLE) {
			builder_node_row(&story.c->builder, graph, 0)->flags = GRAPH_NODE_UPDATABLE;
		} else if (i == UNKNOWN_WORK) {
			builder_node_row(&story.c->builder, graph, 0)->work = NODE_WORK_UNKNOWN;
		} else {
			row->n_parameters = i == NO_PARAMETERS ? 0 : UINT32_MAX;
			row->first_parameter++;
		}
		story_judge(&story, FAILURE_SYNCS_WATCHED);
		CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
		CHECK_EQUAL(story.c->verdict.graph.certainty, GRAPH_EXACT);
		case_end(story.c);
	}
}

/* By the dump, the kernel has no parameters, as the node's has or not. */
static void test_graph_node_without_parameters(void)
{
	for (int has_none = 0; has_none < 2; has_none++) {
		struct story story = story_begin();
		uint32_t graph =
			builder_graph(&story.c->builder, 0x9000, (const uint8_t[]){WORK_KERNEL}, 1);
		set_node(&story, graph, 0, story.scatter, 1);
		if (has_none)
			builder_node_row(&story.c->builder, graph, 0)->argument_bytes = 0;
		builder_launch_graph(&story.c->builder, CASE_TID, story.stream, graph, 1);
		struct gpu_grid *grid = &story_dump(&story, story.scatter, 1)->grids[0].grid;
		grid->has_parameters = false;
		grid->parameters = (struct byte_span){0};
		story_judge(&story, FAILURE_SYNCS_WATCHED);
		CHECK_VERDICT(story.c, has_none ? VERDICT_EXACT : VERDICT_LIKELY, 1);
		case_end(story.c);
	}
}

/* The dump has another handle than the node, or that of a kernel with another name. */
static void test_graph_node_handle(void)
{
	const uint8_t works[] = {WORK_KERNEL};
	struct story story = story_begin();
	const uint64_t handles[] = {0x9999, 0x2000 + story.gather};
	uint32_t graph = builder_graph(&story.c->builder, 0x9000, works, 1);
	set_node(&story, graph, 0, story.scatter, 1);
	builder_launch_graph(&story.c->builder, CASE_TID, story.stream, graph, 1);
	for (int i = 0; i < 2; i++) {
		story_dump(&story, story.scatter, 1)->grids[0].grid.function = handles[i];
		story_judge(&story, FAILURE_SYNCS_WATCHED);
		CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
		CHECK_EQUAL(story.c->verdict.graph.n_candidates, 1);
	}
	case_end(story.c);
}

/* Only their shape distinguishes nodes of one kernel with the same parameters. */
static void test_graph_node_shape(void)
{
	const uint8_t works[] = {WORK_KERNEL, WORK_KERNEL};
	struct story story = story_begin();
	uint32_t graph = builder_graph(&story.c->builder, 0x9000, works, 2);
	set_node(&story, graph, 0, story.scatter, 1);
	set_node(&story, graph, 1, story.scatter, 1);
	builder_node_row(&story.c->builder, graph, 1)->block[1] = 32;
	builder_launch_graph(&story.c->builder, CASE_TID, story.stream, graph, 1);
	for (uint32_t i = 0; i < 2; i++) {
		story_dump(&story, story.scatter, 1)->grids[0].grid.block[1] = i ? 32 : 1;
		story_judge(&story, FAILURE_SYNCS_WATCHED);
		CHECK_VERDICT(story.c, VERDICT_EXACT, 1);
		CHECK_EQUAL(story.c->verdict.graph.candidates[0].index, i);
	}
	/* Rows of parameters that are lost compare none. */
	builder_function_row(&story.c->builder, story.scatter)->first_parameter = 99;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	case_end(story.c);
}

/* A cooperative node's grid is dumped as one block, like that of a launch. */
static void test_graph_cooperative(void)
{
	const uint8_t works[] = {WORK_KERNEL, WORK_KERNEL};
	struct story story = story_begin();
	uint32_t graph = builder_graph(&story.c->builder, 0x9000, works, 2);
	set_node(&story, graph, 0, story.scatter, 1);
	set_node(&story, graph, 1, story.scatter, 1);
	builder_node_row(&story.c->builder, graph, 0)->grid[0] = 2;
	builder_node_row(&story.c->builder, graph, 1)->grid[0] = 4;
	builder_node_row(&story.c->builder, graph, 1)->flags = GRAPH_NODE_COOPERATIVE;
	builder_launch_graph(&story.c->builder, CASE_TID, story.stream, graph, 1);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 1);
	CHECK_EQUAL(story.c->verdict.graph.certainty, GRAPH_EXACT);
	CHECK_EQUAL(story.c->verdict.graph.candidates[0].index, 1);
	story_dump(&story, story.scatter, 1)->grids[0].grid.grid[0] = 2;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_EQUAL(story.c->verdict.graph.certainty, GRAPH_EXACT);
	CHECK_EQUAL(story.c->verdict.graph.candidates[0].index, 0);
	case_end(story.c);
}

/* The warp exited: only the code is known, and so the nodes that run it. */
static void test_graph_warp_gone(void)
{
	const uint8_t works[] = {WORK_KERNEL, WORK_MEMSET, WORK_KERNEL, WORK_KERNEL};
	struct story story = story_begin();
	uint32_t graph = builder_graph(&story.c->builder, 0x9000, works, 4);
	uint32_t other = builder_function(&story.c->builder, "other", 0, NULL);
	const struct graph_claim *claim = &story.c->verdict.graph;
	set_node(&story, graph, 0, story.scatter, 1);
	set_node(&story, graph, 2, story.gather, 2);
	set_node(&story, graph, 3, story.gather, 3);
	builder_launch_graph(&story.c->builder, CASE_TID, story.other_stream, graph, 1);
	story_launch(&story, story.stream, other, 1);
	story_dump_place(&story, "scatter", true);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	CHECK_EQUAL(claim->certainty, GRAPH_LIKELY);
	CHECK_EQUAL(claim->candidates[0].index, 0);
	story_dump_place(&story, "gather", true);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_EQUAL(claim->certainty, GRAPH_NARROWED);
	CHECK_EQUAL(claim->n_candidates, 2);
	/* A function that kernels call, and a kernel of the driver's, may be any node's. */
	story_dump_place(&story, "helper", false);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_EQUAL(claim->n_candidates, 4);
	story_dump_place(&story, "memset_kernel", true);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	/* The kernel is known, and no node runs it. */
	story_dump_place(&story, "other", true);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 2);
	case_end(story.c);
}

/* The graph has one kernel only, so it is certain even though the warp exited. */
static void test_graph_only_kernel_gone(void)
{
	const uint8_t works[] = {WORK_MEMSET, WORK_KERNEL};
	struct story story = story_begin();
	uint32_t graph = builder_graph(&story.c->builder, 0x9000, works, 2);
	set_node(&story, graph, 1, story.scatter, 1);
	builder_launch_graph(&story.c->builder, CASE_TID, story.stream, graph, 1);
	story_dump_place(&story, "scatter", true);
	story.fault.exceptions = 1u << GPU_EXCEPTION_WARP_ASSERT; /* which only kernels raise */
	story_judge_code(&story, 710, FAILURE_SYNCS_WATCHED);
	CHECK(story.c->verdict.coredump);
	CHECK_EQUAL(story.c->verdict.graph.certainty, GRAPH_EXACT);
	case_end(story.c);
}

/* Two replays are alike. */
static void test_graph_replays(void)
{
	const uint8_t works[] = {WORK_KERNEL};
	struct story story = story_begin();
	uint32_t graph = builder_graph(&story.c->builder, 0x9000, works, 1);
	set_node(&story, graph, 0, story.scatter, 1);
	builder_launch_graph(&story.c->builder, CASE_TID, story.stream, graph, 1);
	builder_launch_graph(&story.c->builder, CASE_TID, story.stream, graph, 2);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 2, 1);
	case_end(story.c);
}

/* A kernel that a kernel launched is not in the journal: any launch may have started it. */
static void test_device_launch(void)
{
	for (int has_parent = 0; has_parent < 2; has_parent++) {
		const uint8_t works[] = {WORK_KERNEL, WORK_KERNEL};
		struct story story = story_begin();
		uint32_t graph = builder_graph(&story.c->builder, 0x9000, works, 2);
		set_node(&story, graph, 0, story.gather, 2);
		set_node(&story, graph, 1, story.scatter, 1);
		builder_launch_graph(&story.c->builder, CASE_TID, case_stream(story.c), graph, 1);
		struct gpu_grid *grid = &story_dump(&story, story.scatter, 1)->grids[0].grid;
		grid->parent = has_parent ? 3 : 0;
		grid->origin = has_parent ? 0 : 1;
		story_judge(&story, FAILURE_SYNCS_WATCHED);
		CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
		CHECK_EQUAL(story.c->verdict.graph.n_candidates, 2);
		builder_node_row(&story.c->builder, graph, 1)->function = story.gather;
		story_launch(&story, story.stream, story.scatter, 1);
		story_launch(&story, story.other_stream, story.gather, 1);
		builder_failure_row(&story.c->builder)->sequence = 3;
		story_judge(&story, FAILURE_SYNCS_WATCHED);
		story_check_narrowed(&story, 3, 1);
		case_end(story.c);
	}
}

int main(void)
{
	test_graph();
	test_graph_nodes();
	test_graph_node_against_code();
	test_graph_node_unsure();
	test_graph_node_not_compared();
	test_graph_node_without_parameters();
	test_graph_node_handle();
	test_graph_node_shape();
	test_graph_cooperative();
	test_graph_warp_gone();
	test_graph_only_kernel_gone();
	test_graph_replays();
	test_device_launch();
	return 0;
}
