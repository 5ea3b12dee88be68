/*
 * test_fault_unordered.c - program counters and work of unknown order. They clear no such work, but
 * it may be what they name.
 */
#include "fault/fault_case.h"

/* Kernel 3, which has the program counter, has an unknown order. It stays suspect alone. */
static void test_unordered_work_explains_the_fault(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	fault_add_exception(c, PC);
	case_find(c, 5)->flags |= RECORD_UNORDERED;
	fault_judge(c);
	CHECK_VERDICT(c, VERDICT_NARROWED, 5);
	CHECK_EQUAL(c->verdict.n_suspects, 1);
	case_end(c);
}

static void test_unordered_work_of_another_context_clears_nothing(void)
{
	struct verdict_case *c = fault_begin();
	uint32_t context = builder_context(&c->builder, 1, "other");
	uint32_t stream =
		builder_stream(&c->builder, context, STREAM_EXPLICIT, STREAM_NON_BLOCKING, 0x7777);
	fault_add_words(c);
	builder_launch(&c->builder, CASE_TID, stream, 1, NULL, 0)->flags |= RECORD_UNORDERED;
	fault_add_exception(c, PC);
	fault_judge(c);
	CHECK_EQUAL(c->verdict.n_suspects, N_KERNELS + 1);
	CHECK(!case_evidence(c, EVIDENCE_FAULT_CODE));
	case_end(c);
}

/* Facts that only rank rank work of unknown order, too: a program counter, and a trap. */
static void test_unordered_work_is_ranked(void)
{
	for (int is_trap = 0; is_trap < 2; is_trap++) {
		struct verdict_case *c = fault_begin();
		fault_add_words(c);
		case_find(c, 5)->flags |= RECORD_UNORDERED;
		if (is_trap) {
			fault_code_facts[3] = CODE_TRAPS;
		} else {
			fault_add_exception(c, PC);
			fault_sizes[3] = (struct code_size){.least = 0};
		}
		fault_judge_code(c, is_trap ? 719 : MISALIGNED);
		CHECK_VERDICT(c, VERDICT_NARROWED, 5);
		CHECK_EQUAL(c->verdict.n_suspects, is_trap ? 2 * N_KERNELS : N_KERNELS);
		CHECK_EQUAL(c->verdict.lead, is_trap ? LEAD_TRAP : LEAD_FAULT);
		case_end(c);
	}
}

int main(void)
{
	test_unordered_work_explains_the_fault();
	test_unordered_work_of_another_context_clears_nothing();
	test_unordered_work_is_ranked();
	return 0;
}
