/*
 * test_fault_rule.c - when program counters clear work: not beside other faults, and not if no
 * suspect can have reached them. They clear nodes of graphs, too.
 */
#include "fault/fault_case.h"
#include "support/graph_builder.h"

static void test_a_memory_fault_beside_it_clears_nothing(void)
{
	struct verdict_case *c = fault_begin();
	uint32_t id;
	fault_add_words(c);
	fault_add_exception(c, PC);
	struct fault_row *row = builder_rows(&c->builder, JOURNAL_FAULTS, 1, &id);
	*row = (struct fault_row){.kind = FAULT_EVENT, .flags = FAULT_ADDRESS_PAGE};
	fault_judge(c);
	CHECK_EQUAL(c->verdict.n_suspects, N_KERNELS);
	case_end(c);
}

/* A summary counts memory faults of which no row was kept. */
static void test_a_counted_memory_fault_clears_nothing(void)
{
	static const enum fault_kind kinds[] = {FAULT_EVENTS_READ, FAULT_MMU_LIST_READ};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct verdict_case *c = fault_begin();
		fault_add_words(c);
		fault_add_exception(c, PC);
		struct fault_row *row = fault_add_row(c, kinds[i]);
		row->count = row->n_lost = 1;
		fault_judge(c);
		fault_check_nothing_cleared(c);
	}
}

/* Return how many are suspect after an illegal address: the kernels, copies, and a graph of both.
 */
static uint64_t suspects_with_events(bool are_read, uint16_t flags)
{
	static const uint8_t works[] = {WORK_KERNEL, WORK_COPY};
	struct verdict_case *c = fault_begin();
	uint32_t stream = case_stream(c);
	uint32_t graph = builder_graph(&c->builder, 0x9000, works, 2);
	builder_node_row(&c->builder, graph, 0)->function = 1;
	builder_launch_graph(&c->builder, CASE_TID, stream, graph, 0);
	fault_add_words(c);
	fault_add_exception(c, PC);
	if (are_read)
		fault_add_row(c, FAULT_EVENTS_READ)->flags = flags;
	fault_judge_code(c, ILLEGAL_ADDRESS);
	CHECK(case_suspects(c, 5));
	uint64_t n = c->verdict.n_suspects;
	case_end(c);
	return n;
}

/* A copy's memory fault leaves an event alone, so copies are clear only if events were read. */
static void test_copies_are_cleared_only_by_events(void)
{
	CHECK_EQUAL(suspects_with_events(true, 0), 1);
	CHECK_EQUAL(suspects_with_events(false, 0), 1 + N_KERNELS + 1);
	CHECK_EQUAL(suspects_with_events(true, FAULT_LATE), 1 + N_KERNELS + 1);
}

/* Traps, assertions and timeouts leave no exception. */
static void test_an_exception_of_another_code_clears_nothing(void)
{
	static const int32_t codes[] = {702, 710, 719};
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		struct verdict_case *c = fault_begin();
		fault_add_words(c);
		fault_add_exception(c, PC);
		fault_judge_code(c, codes[i]);
		CHECK_EQUAL(c->verdict.n_suspects, codes[i] == 719 ? 2 * N_KERNELS : N_KERNELS);
		CHECK(!case_evidence(c, EVIDENCE_FAULT_CODE));
		case_end(c);
	}
}

static void test_a_kernel_that_is_over_refuses_the_fault(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	fault_settle(c, 3);
	fault_add_exception(c, PC);
	fault_judge(c);
	CHECK_EQUAL(c->verdict.n_suspects, N_KERNELS - 1);
	CHECK(case_evidence(c, EVIDENCE_FAULT_REFUSED));
	case_end(c);
}

/* The kernel at the program counter is over, and one of unknown size is left: it is no proof. */
static void test_a_fault_that_no_suspect_explains_is_refused(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	fault_settle(c, 3);
	fault_add_exception(c, PC);
	fault_sizes[1] = (struct code_size){.least = 0};
	fault_judge(c);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, N_KERNELS - 1);
	CHECK(case_evidence(c, EVIDENCE_FAULT_REFUSED));
	case_end(c);
}

/* One of two program counters is in code that is over. */
static void test_each_program_counter_needs_a_suspect(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	fault_settle(c, 3);
	fault_add_exception(c, PC);
	fault_add_exception(c, BASE + 0x90);
	fault_judge(c);
	CHECK_EQUAL(c->verdict.n_suspects, N_KERNELS - 1);
	CHECK(case_evidence(c, EVIDENCE_FAULT_REFUSED));
	case_end(c);
}

/* A kernel that launches kernels explains a program counter in code that was not launched. */
static void test_code_that_launches_explains_the_fault(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	fault_settle(c, 3);
	fault_add_exception(c, PC);
	case_judge(c, MISALIGNED);
	fault_code_facts[4] = CODE_LAUNCHES;
	fault_judge(c);
	CHECK_VERDICT(c, VERDICT_EXACT, 7);
	CHECK_EQUAL(c->verdict.fault_code.function, 0);
	case_end(c);
}

/* The launch of a graph of three kernels: those of fault_begin() in this order, and its sequence.
 */
static uint64_t launch_graph(struct verdict_case *c, const uint32_t functions[3])
{
	static const uint8_t works[] = {WORK_KERNEL, WORK_KERNEL, WORK_KERNEL};
	uint32_t stream = case_stream(c);
	uint32_t graph = builder_graph(&c->builder, 0x9000, works, 3);
	for (uint32_t i = 0; i < 3; i++)
		builder_node_row(&c->builder, graph, i)->function = functions[i];
	return builder_launch_graph(&c->builder, CASE_TID, stream, graph, 0)->sequence;
}

static void finish_kernels(struct verdict_case *c)
{
	for (uint32_t stream = 1; stream <= N_KERNELS; stream++)
		fault_settle(c, stream);
}

static void test_a_program_counter_names_the_node(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	uint64_t sequence = launch_graph(c, (const uint32_t[]){2, 3, 4});
	finish_kernels(c);
	fault_add_exception(c, PC);
	fault_judge(c);
	CHECK_VERDICT(c, VERDICT_EXACT, sequence);
	CHECK_EQUAL(c->verdict.graph.certainty, GRAPH_EXACT);
	CHECK_EQUAL(c->verdict.graph.candidates[0].function, 3);
	CHECK_EQUAL(c->verdict.fault_code.function, 3);
	case_end(c);
}

static void test_a_program_counter_clears_a_graph(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	(void)launch_graph(c, (const uint32_t[]){1, 2, 4});
	fault_add_exception(c, PC);
	fault_judge(c);
	CHECK_VERDICT(c, VERDICT_EXACT, 5);
	case_end(c);
}

/* Its nodes may have been changed by calls that culprit did not see. */
static void test_a_graph_stays_suspect_if_calls_were_not_seen(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	(void)launch_graph(c, (const uint32_t[]){1, 2, 4});
	fault_add_exception(c, PC);
	case_judge(c, MISALIGNED);
	builder_failure_row(&c->builder)->flags = FAILURE_UNSEEN_BETWEEN;
	fault_judge(c);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	case_end(c);
}

static void test_unknown_kinds_of_work_stay_suspect(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	uint32_t stream = case_stream(c);
	builder_submit(&c->builder, CASE_TID, stream, (enum work_kind)99);
	fault_add_exception(c, PC);
	fault_judge(c);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	case_end(c);
}

/* All nodes but one are elsewhere, and that one is of unknown size. */
static void test_a_node_that_is_not_at_the_fault_is_not_named(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	(void)launch_graph(c, (const uint32_t[]){1, 2, 4});
	finish_kernels(c);
	fault_add_exception(c, PC);
	fault_sizes[1] = (struct code_size){.least = 0};
	fault_judge(c);
	CHECK_EQUAL(c->verdict.graph.certainty, GRAPH_NARROWED);
	CHECK_EQUAL(c->verdict.graph.n_candidates, 3);
	CHECK(case_evidence(c, EVIDENCE_FAULT_REFUSED));
	case_end(c);
}

/* Nothing is said of the fault, and no node is cleared by it. */
static void check_unused(struct verdict_case *c, uint64_t n_suspects)
{
	CHECK_EQUAL(c->verdict.n_suspects, n_suspects);
	CHECK_EQUAL(c->verdict.fault_code.function, 0);
	CHECK(!case_evidence(c, EVIDENCE_FAULT_CODE));
	CHECK(!case_evidence(c, EVIDENCE_FAULT_NEAREST));
	CHECK_EQUAL(c->verdict.graph.n_candidates, c->verdict.graph.n_nodes);
}

static void test_several_contexts_clear_nothing(void)
{
	struct verdict_case *c = fault_begin();
	uint32_t context = builder_context(&c->builder, 1, "other");
	uint32_t stream =
		builder_stream(&c->builder, context, STREAM_EXPLICIT, STREAM_NON_BLOCKING, 0x7777);
	fault_add_words(c);
	(void)launch_graph(c, (const uint32_t[]){2, 3, 4});
	finish_kernels(c);
	builder_launch(&c->builder, CASE_TID, stream, 1, NULL, 0);
	fault_add_exception(c, PC);
	fault_judge(c);
	check_unused(c, 2);
	CHECK_EQUAL(c->verdict.suspects[0].record.work, WORK_GRAPH);
	CHECK_EQUAL(c->verdict.graph.n_nodes, 3);
	case_end(c);
}

/*
 * Another living context may have other code at the address, or the kernels elsewhere. One that
 * ended before, or started afterwards, does not matter.
 */
static void test_a_second_living_context_clears_nothing(void)
{
	for (int is_one = 0; is_one < 2; is_one++) {
		struct verdict_case *c = fault_begin();
		(void)builder_context(&c->builder, 0, "other");
		fault_add_words(c);
		if (!is_one)
			builder_fault_row(&c->builder, 1)->flags = 0;
		fault_add_exception(c, PC);
		fault_judge(c);
		if (!is_one) {
			fault_check_nothing_cleared(c);
			continue;
		}
		CHECK_VERDICT(c, VERDICT_EXACT, 5);
		case_end(c);
	}
}

static void test_an_exception_of_no_known_context_clears_nothing(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	fault_add_exception(c, PC)->context = 0;
	fault_judge(c);
	fault_check_nothing_cleared(c);
}

/* The only work is the launch of a graph on a stream whose context is not known. */
static void test_work_of_no_known_context_clears_nothing(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	(void)launch_graph(c, (const uint32_t[]){2, 3, 4});
	finish_kernels(c);
	builder_stream_row(&c->builder, c->n_streams)->context = 0;
	fault_add_exception(c, PC);
	fault_judge(c);
	check_unused(c, 1);
	case_end(c);
}

/* Some exceptions have no row, or so many differ that not all program counters fit. */
static void test_missing_program_counters_clear_nothing(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	fault_add_exception(c, PC);
	builder_fault_row(&c->builder, 1)->n_lost = 1;
	fault_judge(c);
	fault_check_nothing_cleared(c);

	/* A later look at the same GPU does not mend that. */
	c = fault_begin();
	fault_add_words(c);
	fault_add_exception(c, PC);
	builder_fault_row(&c->builder, 1)->n_lost = 1;
	fault_add_row(c, FAULT_STATES_READ)->flags = FAULT_ONE_CONTEXT;
	fault_judge(c);
	fault_check_nothing_cleared(c);

	c = fault_begin();
	fault_add_words(c);
	for (uint64_t i = 0; i <= EXTENTS_PCS_MAX; i++)
		fault_add_exception(c, fault_starts[3] + 4 * i);
	fault_judge(c);
	fault_check_nothing_cleared(c);
}

/* Many warps stop at one place: its program counter needs no more room for that. */
static void test_many_warps_at_one_place(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	for (int i = 0; i <= EXTENTS_PCS_MAX; i++)
		fault_add_exception(c, PC);
	fault_judge(c);
	CHECK_VERDICT(c, VERDICT_EXACT, 5);
	case_end(c);
}

/* The exception may be of another process. */
static void test_a_shared_gpu_clears_nothing(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	fault_add_exception(c, PC);
	case_judge(c, MISALIGNED);
	builder_failure_row(&c->builder)->flags = FAILURE_SHARED;
	fault_judge(c);
	fault_check_nothing_cleared(c);
}

/* Core dumps are on, and none was written. */
static void test_core_dumps_leave_the_fault_out(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	(void)launch_graph(c, (const uint32_t[]){2, 3, 4});
	fault_add_exception(c, PC);
	case_judge(c, MISALIGNED);
	builder_failure_row(&c->builder)->flags = FAILURE_COREDUMPS;
	fault_judge(c);
	check_unused(c, N_KERNELS + 1);
	case_end(c);
}

int main(void)
{
	test_a_memory_fault_beside_it_clears_nothing();
	test_a_counted_memory_fault_clears_nothing();
	test_copies_are_cleared_only_by_events();
	test_an_exception_of_another_code_clears_nothing();
	test_a_kernel_that_is_over_refuses_the_fault();
	test_a_fault_that_no_suspect_explains_is_refused();
	test_each_program_counter_needs_a_suspect();
	test_code_that_launches_explains_the_fault();
	test_a_program_counter_names_the_node();
	test_a_program_counter_clears_a_graph();
	test_a_graph_stays_suspect_if_calls_were_not_seen();
	test_unknown_kinds_of_work_stay_suspect();
	test_a_node_that_is_not_at_the_fault_is_not_named();
	test_several_contexts_clear_nothing();
	test_a_second_living_context_clears_nothing();
	test_an_exception_of_no_known_context_clears_nothing();
	test_work_of_no_known_context_clears_nothing();
	test_missing_program_counters_clear_nothing();
	test_many_warps_at_one_place();
	test_a_shared_gpu_clears_nothing();
	test_core_dumps_leave_the_fault_out();
	return 0;
}
