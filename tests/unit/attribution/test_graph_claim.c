/*
 * test_graph_claim.c - which node of a graph is named: candidates, versions, reused rows, and what
 * is known of the kernel by other means.
 */
#include "support/check.h"
#include "support/graph_case.h"

static void check_unknown(struct graph_case *g, uint32_t flags)
{
	const struct graph_claim *claim = graph_case_judge(g, 0, ILLEGAL_ADDRESS);
	CHECK_EQUAL(claim->certainty, GRAPH_UNKNOWN);
	CHECK_EQUAL(claim->flags, flags);
	CHECK_EQUAL(g->c->verdict.class, VERDICT_EXACT); /* of the launch, still */
	case_end(g->c);
}

static void test_candidates(void)
{
	static const uint8_t works[] = {WORK_MEMSET, NODE_WORK_NONE, WORK_KERNEL, WORK_HOST_FUNC,
					WORK_GRAPH};
	struct graph_case g = graph_case_begin(works, sizeof(works));
	const struct graph_claim *claim = graph_case_judge(&g, 0, ASSERT);
	/* Only a kernel raises an assertion. */
	CHECK_EQUAL(claim->certainty, GRAPH_EXACT);
	CHECK_EQUAL(claim->n_candidates, 1);
	CHECK_EQUAL(claim->candidates[0].index, 2);
	CHECK_EQUAL(claim->n_nodes, 5);
	CHECK_EQUAL(claim->n_kernels, 1);
	case_end(g.c);

	/* A memset may be given a bad address too; kernels come first. */
	g = graph_case_begin(works, sizeof(works));
	claim = graph_case_judge(&g, 0, ILLEGAL_ADDRESS);
	CHECK_EQUAL(claim->certainty, GRAPH_NARROWED);
	CHECK_EQUAL(claim->n_candidates, 2);
	CHECK_EQUAL(claim->candidates[0].index, 2);
	CHECK_EQUAL(claim->candidates[1].index, 0);
	CHECK_EQUAL(claim->candidates[1].work, WORK_MEMSET);
	case_end(g.c);

	/* A node of unknown kind may raise any error. */
	g = graph_case_begin((const uint8_t[]){WORK_KERNEL, NODE_WORK_UNKNOWN}, 2);
	CHECK_EQUAL(graph_case_judge(&g, 0, ASSERT)->certainty, GRAPH_NARROWED);
	case_end(g.c);

	g = graph_case_begin((const uint8_t[]){WORK_KERNEL, WORK_KERNEL}, 2);
	graph_case_node(&g, 0)->flags = GRAPH_NODE_DISABLED;
	claim = graph_case_judge(&g, 0, ILLEGAL_ADDRESS);
	CHECK_EQUAL(claim->certainty, GRAPH_EXACT);
	CHECK_EQUAL(claim->candidates[0].index, 1);
	CHECK_EQUAL(claim->n_kernels, 1);
	case_end(g.c);
}

/* Kernels of culprit's ran between the nodes, and read memory: elimination proves less. */
static void test_checks(void)
{
	struct graph_case g = graph_case_begin((const uint8_t[]){WORK_KERNEL, NODE_WORK_NONE}, 2);
	builder_graph_row(&g.c->builder, g.graph)->flags = GRAPH_HAS_CHECKS;
	const struct graph_claim *claim = graph_case_judge(&g, 0, ILLEGAL_ADDRESS);
	CHECK_EQUAL(claim->certainty, GRAPH_LIKELY);
	CHECK_EQUAL(claim->flags, 0);
	CHECK_EQUAL(claim->candidates[0].index, 0);
	CHECK_EQUAL(g.c->verdict.class, VERDICT_LIKELY);
	CHECK(case_evidence(g.c, EVIDENCE_CHECKS));
	case_end(g.c);

	/* They assert nothing. */
	g = graph_case_begin((const uint8_t[]){WORK_KERNEL, NODE_WORK_NONE}, 2);
	builder_graph_row(&g.c->builder, g.graph)->flags = GRAPH_HAS_CHECKS;
	CHECK_EQUAL(graph_case_judge(&g, 0, ASSERT)->certainty, GRAPH_EXACT);
	CHECK_EQUAL(g.c->verdict.class, VERDICT_EXACT);
	case_end(g.c);
}

static void test_many_candidates(void)
{
	uint8_t works[3 * GRAPH_MAX_CANDIDATES];
	for (size_t i = 0; i < sizeof(works); i++)
		works[i] = i < 2 * GRAPH_MAX_CANDIDATES ? WORK_COPY : WORK_KERNEL;
	struct graph_case g = graph_case_begin(works, sizeof(works));
	const struct graph_claim *claim = graph_case_judge(&g, 0, ILLEGAL_ADDRESS);
	CHECK_EQUAL(claim->n_candidates, sizeof(works));
	for (uint32_t i = 0; i < GRAPH_MAX_CANDIDATES; i++)
		CHECK_EQUAL(claim->candidates[i].index, 2 * GRAPH_MAX_CANDIDATES + i);
	case_end(g.c);
}

/* Row `older` of another graph's chain serves as the older state of the first node. */
static struct graph_node_row *add_older(struct graph_case *g, uint32_t version, uint32_t older_of)
{
	uint32_t other = builder_graph(&g->c->builder, GRAPH_CASE_HANDLE + 0x100,
				       (const uint8_t[]){WORK_KERNEL}, 1);
	struct graph_node_row *older = builder_node_row(&g->c->builder, other, 0);
	*older = *graph_case_node(g, 0);
	older->version = version;
	older->next = 0;
	graph_case_node(g, 0)->version = older_of;
	graph_case_node(g, 0)->older = builder_graph_row(&g->c->builder, other)->first;
	return older;
}

static void test_versions(void)
{
	static const uint8_t works[] = {WORK_KERNEL};
	struct graph_case g = graph_case_begin(works, 1);
	/* The launch ran the node of version 3, which was changed in version 5. */
	add_older(&g, 3, 5)->shared_bytes = 333;
	const struct graph_claim *claim = graph_case_judge(&g, 4, ILLEGAL_ADDRESS);
	CHECK_EQUAL(claim->certainty, GRAPH_EXACT);
	CHECK_EQUAL(claim->candidates[0].shared_bytes, 333);
	case_end(g.c);

	g = graph_case_begin(works, 1);
	add_older(&g, 3, 5)->shared_bytes = 333;
	CHECK_EQUAL(graph_case_judge(&g, 5, ILLEGAL_ADDRESS)->candidates[0].shared_bytes, 0);
	case_end(g.c);

	/* The row was reused: for another graph, or for a later state of the node. */
	g = graph_case_begin(works, 1);
	add_older(&g, 3, 5)->number++;
	CHECK_EQUAL(graph_case_judge(&g, 4, ILLEGAL_ADDRESS)->certainty, GRAPH_UNKNOWN);
	case_end(g.c);
	g = graph_case_begin(works, 1);
	add_older(&g, 3, 5);
	add_older(&g, 5, 5);
	CHECK_EQUAL(graph_case_judge(&g, 4, ILLEGAL_ADDRESS)->certainty, GRAPH_UNKNOWN);
	case_end(g.c);
	g = graph_case_begin(works, 1);
	add_older(&g, 3, 5)->index = 1;
	CHECK_EQUAL(graph_case_judge(&g, 4, ILLEGAL_ADDRESS)->certainty, GRAPH_UNKNOWN);
	case_end(g.c);
}

static void test_what_is_not_known(void)
{
	static const uint8_t works[] = {WORK_KERNEL, NODE_WORK_NONE};
	struct graph_case g = graph_case_begin(works, 2);
	builder_graph_row(&g.c->builder, g.graph)->flags = GRAPH_NODES_HIDDEN;
	check_unknown(&g, GRAPH_NODES_HIDDEN);
	g = graph_case_begin(works, 2);
	builder_graph_row(&g.c->builder, g.graph)->flags = GRAPH_NODES_CHANGED;
	check_unknown(&g, GRAPH_NODES_CHANGED);

	/* A node without a row, a chain that leads elsewhere, a row that is being written. */
	g = graph_case_begin(works, 2);
	builder_graph_row(&g.c->builder, g.graph)->n_nodes = 3;
	check_unknown(&g, GRAPH_NODES_LOST);
	g = graph_case_begin(works, 2);
	graph_case_node(&g, 0)->next = builder_graph_row(&g.c->builder, g.graph)->first;
	check_unknown(&g, GRAPH_NODES_LOST);
	g = graph_case_begin(works, 2);
	graph_case_node(&g, 1)->number = 0;
	check_unknown(&g, GRAPH_NODES_LOST);
	g = graph_case_begin(works, 2);
	graph_case_node(&g, 1)->number++;
	check_unknown(&g, GRAPH_NODES_LOST);
}

/* The row of the launch's graph has been reused for another graph, or never existed. */
static void test_forgotten_graphs(void)
{
	struct graph_case g = graph_case_begin((const uint8_t[]){WORK_KERNEL}, 1);
	struct journal_record *record =
		builder_launch_graph(&g.c->builder, CASE_TID, g.stream, g.graph, 0);
	record->graph.number--;
	CHECK_EQUAL(case_judge(g.c, ILLEGAL_ADDRESS)->graph.n_nodes, 0);
	CHECK_EQUAL(g.c->verdict.graph.certainty, GRAPH_UNKNOWN);
	case_end(g.c);

	g = graph_case_begin((const uint8_t[]){WORK_KERNEL}, 1);
	record = builder_launch_graph(&g.c->builder, CASE_TID, g.stream, g.graph, 0);
	record->graph.row = 0;
	CHECK_EQUAL(case_judge(g.c, ILLEGAL_ADDRESS)->graph.n_nodes, 0);
	case_end(g.c);

	/* A kernel's record has no graph in its payload. */
	g = graph_case_begin((const uint8_t[]){WORK_KERNEL}, 1);
	record = builder_launch_graph(&g.c->builder, CASE_TID, g.stream, g.graph, 0);
	record->work = WORK_KERNEL;
	CHECK_EQUAL(case_judge(g.c, ILLEGAL_ADDRESS)->graph.n_nodes, 0);
	case_end(g.c);
}

/* Three nodes of one kernel (u32, gap, u64) with tags 1, 2, 3, and one of another kernel. */
static struct graph_case begin_matches(uint64_t *out_function)
{
	static const uint8_t works[] = {WORK_KERNEL, WORK_KERNEL, WORK_KERNEL, WORK_KERNEL};
	struct graph_case g = graph_case_begin(works, sizeof(works));
	uint32_t function = builder_function(&g.c->builder, "scatter", 2, (const uint32_t[]){4, 8});
	uint32_t other = builder_function(&g.c->builder, "gather", 0, NULL);
	builder_function(&g.c->builder, "next", 1, (const uint32_t[]){8}); /* spans that gap */
	for (uint32_t i = 0; i < sizeof(works); i++) {
		graph_case_node(&g, i)->function = i < 3 ? function : other;
		graph_case_node(&g, i)->arguments[0] = (uint8_t)(i + 1);
		graph_case_node(&g, i)->argument_bytes = 16;
	}
	builder_launch_graph(&g.c->builder, CASE_TID, g.stream, g.graph, 0);
	case_judge(g.c, ILLEGAL_ADDRESS);
	*out_function = view_function(&g.c->view, function)->handle;
	return g;
}

static struct graph_claim matched(const struct graph_case *g, const struct graph_match *match)
{
	struct graph_claim claim;
	graph_claim(&g->c->view, &g->c->verdict.suspects[0].record, ILLEGAL_ADDRESS, match, &claim);
	return claim;
}

static void test_matches(void)
{
	uint64_t function = 0;
	struct graph_case g = begin_matches(&function);
	/* In a core dump, the bytes between the parameters may have any value. */
	unsigned char bytes[16] = {2, 0, 0, 0, 0xee, 0xee, 0xee, 0xee};
	CHECK_EQUAL(matched(&g, &(struct graph_match){0}).n_candidates, 4);
	CHECK_EQUAL(matched(&g, &(struct graph_match){.function = function}).n_candidates, 3);
	CHECK_EQUAL(matched(&g, &(struct graph_match){.grid = {7, 1, 1}}).n_candidates, 0);
	CHECK_EQUAL(matched(&g, &(struct graph_match){.block = {1, 1, 1}}).n_candidates, 4);
	struct graph_claim claim =
		matched(&g, &(struct graph_match){.function = function,
						  .grid = {1, 1, 1},
						  .parameters = bytes,
						  .parameter_bytes = sizeof(bytes)});
	CHECK_EQUAL(claim.certainty, GRAPH_EXACT);
	CHECK_EQUAL(claim.candidates[0].index, 1);

	/* A handle that is not in the journal may be any kernel's: a CUkernel's function. */
	CHECK_EQUAL(matched(&g, &(struct graph_match){.function = 0x5150}).n_candidates, 4);

	/* Bytes that one side lacks are not compared. */
	claim = matched(&g, &(struct graph_match){.function = function,
						  .parameters = bytes,
						  .parameter_bytes = 3});
	CHECK_EQUAL(claim.n_candidates, 3);
	bytes[8] = 1;
	claim = matched(&g, &(struct graph_match){.function = function,
						  .parameters = bytes,
						  .parameter_bytes = 4});
	CHECK_EQUAL(claim.n_candidates, 1);
	CHECK_EQUAL(claim.candidates[0].index, 1);
	claim = matched(&g, &(struct graph_match){.function = function,
						  .parameters = bytes,
						  .parameter_bytes = sizeof(bytes)});
	CHECK_EQUAL(claim.n_candidates, 0);
	CHECK_EQUAL(claim.certainty, GRAPH_UNKNOWN);
	case_end(g.c);
}

static bool is_any(const void *state, const struct graph_node_row *node)
{
	(void)state;
	return node != NULL;
}

/* A dump's grid cannot be a check's kernel, but a page that is known may be a check's. */
static void test_matches_beside_checks(void)
{
	uint64_t function = 0;
	struct graph_case g = begin_matches(&function);
	for (uint32_t i = 1; i < 4; i++)
		graph_case_node(&g, i)->flags = GRAPH_NODE_DISABLED;
	builder_graph_row(&g.c->builder, g.graph)->flags = GRAPH_HAS_CHECKS;
	case_judge(g.c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(matched(&g, &(struct graph_match){.function = function}).certainty,
		    GRAPH_EXACT);
	CHECK_EQUAL(matched(&g, &(struct graph_match){.may_be = is_any}).certainty, GRAPH_LIKELY);
	case_end(g.c);
}

/* Properties that a kernel can change do not tell nodes apart. */
static void test_updatable_nodes(void)
{
	static const unsigned char bytes[16] = {2};
	uint64_t function = 0;
	struct graph_case g = begin_matches(&function);
	struct graph_match match = {.function = function,
				    .grid = {7, 1, 1},
				    .parameters = bytes,
				    .parameter_bytes = sizeof(bytes)};
	graph_case_node(&g, 2)->flags = GRAPH_NODE_UPDATABLE | GRAPH_NODE_DISABLED;
	case_judge(g.c, ILLEGAL_ADDRESS);
	struct graph_claim claim = matched(&g, &match);
	CHECK_EQUAL(claim.n_candidates, 1);
	CHECK_EQUAL(claim.candidates[0].index, 2);
	CHECK_EQUAL(claim.n_kernels, 4);
	case_end(g.c);
}

/* A kernel of the same name under another handle, such as a library's, may be the same kernel. */
static void test_handles_of_one_kernel(void)
{
	uint64_t function = 0;
	struct graph_case g = begin_matches(&function);
	uint32_t again = builder_function(&g.c->builder, "scatter", 0, NULL);
	graph_case_node(&g, 3)->function = again;
	case_judge(g.c, ILLEGAL_ADDRESS);
	CHECK(view_function(&g.c->view, again)->handle != function);
	CHECK_EQUAL(matched(&g, &(struct graph_match){.function = function}).n_candidates, 4);
	case_end(g.c);
}

/* A kernel whose name is not known may have any name, and a handle of 0 is no kernel's. */
static void test_unknown_names(void)
{
	uint64_t function = 0;
	struct graph_case g = begin_matches(&function);
	uint32_t unnamed = builder_function(&g.c->builder, "", 0, NULL);
	uint32_t other = builder_function(&g.c->builder, "other", 0, NULL);
	builder_function_row(&g.c->builder, unnamed)->name = 0;
	builder_function_row(&g.c->builder, other)->handle = 0;
	graph_case_node(&g, 3)->function = unnamed;
	case_judge(g.c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(matched(&g, &(struct graph_match){.function = function}).n_candidates, 4);
	uint64_t handle = view_function(&g.c->view, unnamed)->handle;
	CHECK_EQUAL(matched(&g, &(struct graph_match){.function = handle}).n_candidates, 4);
	CHECK_EQUAL(matched(&g, &(struct graph_match){.name = "scatter"}).n_candidates, 4);
	CHECK_EQUAL(matched(&g, &(struct graph_match){.name = "gather"}).n_candidates, 1);
	CHECK_EQUAL(matched(&g, &(struct graph_match){.name = ""}).n_candidates, 4);
	CHECK_EQUAL(matched(&g, &(struct graph_match){.function = 0}).n_candidates, 4);
	case_end(g.c);
}

/* The driver did not say which parameters the kernel has: none are compared. */
static void test_unknown_parameters(void)
{
	static const unsigned char bytes[16] = {2};
	const struct graph_match match = {.parameters = bytes, .parameter_bytes = sizeof(bytes)};
	uint64_t function = 0;
	struct graph_case g = begin_matches(&function);
	uint32_t scatter = graph_case_node(&g, 0)->function;
	CHECK_EQUAL(matched(&g, &match).n_candidates, 2); /* a "scatter", and the "gather" */
	builder_function_row(&g.c->builder, scatter)->n_parameters = UINT32_MAX;
	CHECK_EQUAL(matched(&g, &match).n_candidates, 4);
	case_end(g.c);
}

/* Return how many nodes stay candidates for a handle that n kernels of other names have had. */
static uint64_t matched_handle(uint32_t n)
{
	enum { HANDLE = 0x5150 };
	uint64_t ignored = 0;
	struct graph_case g = begin_matches(&ignored);
	for (uint32_t i = 0; i < n; i++) {
		char name[] = "scatte?"; /* as long as another one */
		name[sizeof(name) - 2] = (char)('A' + i);
		uint32_t id = builder_function(&g.c->builder, name, 0, NULL);
		builder_function_row(&g.c->builder, id)->handle = HANDLE;
	}
	case_judge(g.c, ILLEGAL_ADDRESS);
	uint64_t n_left = matched(&g, &(struct graph_match){.function = HANDLE}).n_candidates;
	case_end(g.c);
	return n_left;
}

/* A handle that was used again has several names, of which only a few are compared. */
static void test_handle_used_again(void)
{
	CHECK_EQUAL(matched_handle(1), 0);
	CHECK_EQUAL(matched_handle(4), 0);
	CHECK_EQUAL(matched_handle(5), 4);
}

/* Work that hangs has no failure. */
static void test_without_failure(void)
{
	struct graph_case g = graph_case_begin((const uint8_t[]){WORK_KERNEL}, 1);
	const struct journal_record *record =
		builder_launch_graph(&g.c->builder, CASE_TID, g.stream, g.graph, 0);
	builder_view(&g.c->builder, &g.c->view);
	struct graph_claim claim;
	graph_claim(&g.c->view, record, ILLEGAL_ADDRESS, NULL, &claim);
	CHECK_EQUAL(claim.certainty, GRAPH_EXACT);
	case_end(g.c);
}

int main(void)
{
	test_candidates();
	test_checks();
	test_many_candidates();
	test_versions();
	test_what_is_not_known();
	test_forgotten_graphs();
	test_matches();
	test_matches_beside_checks();
	test_updatable_nodes();
	test_handles_of_one_kernel();
	test_unknown_names();
	test_unknown_parameters();
	test_handle_used_again();
	test_without_failure();
	return 0;
}
