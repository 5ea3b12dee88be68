/*
 * test_code_extents.c - the kernel around a program counter, and what that clears. Contradictions
 * and unknown sizes clear nothing.
 */
#include <stdlib.h>

#include "fault/fault_story.h"
#include "support/check.h"
#include "support/verdict_case.h"

enum { N_KERNELS = 4, N_SIZES = N_KERNELS + 1, WORD = 0x68, MISALIGNED = 716 };

#define BASE 0x7f0000000000
#define PC   (BASE + 0x480 + 0x30) /* in kernel 3 */

/* Kernels 1 to 4 follow each other. Neither all sizes grow nor all shrink. */
static const uint64_t starts[N_SIZES] = {0, BASE, BASE + 0x80, BASE + 0x480, BASE + 0x580};
static struct code_size sizes[N_SIZES];
static uint8_t facts_of[N_SIZES];

static void reset_sizes(void)
{
	static const uint32_t bytes[N_SIZES] = {0, 0x70, 0x400, 0x100, 0x800};
	for (int i = 0; i < N_SIZES; i++) {
		sizes[i] = (struct code_size){.least = bytes[i], .most = bytes[i]};
		facts_of[i] = 0;
	}
}

static void add_word(struct verdict_case *c, uint32_t function, uint16_t offset, uint64_t address)
{
	uint32_t id;
	struct code_address_row *row = builder_rows(&c->builder, JOURNAL_CODE_ADDRESSES, 1, &id);
	*row = (struct code_address_row){.address = address,
					 .function = function,
					 .offset = offset,
					 .flags = CODE_CONFIRMED};
}

static void add_exception(struct verdict_case *c, uint64_t pc)
{
	uint32_t id;
	struct fault_row *row = builder_rows(&c->builder, JOURNAL_FAULTS, 1, &id);
	*row = (struct fault_row){.kind = FAULT_EXCEPTION,
				  .flags = pc ? FAULT_HAS_PC : 0,
				  .pc = pc,
				  .warp_esr = 0x502000f,
				  .device = FAULT_DEVICE_UNKNOWN};
}

/* A stream for each kernel, with a launch of it and a copy. All launches are suspect. */
static struct verdict_case *begin(void)
{
	static const char *const names[N_SIZES] = {"", "a", "b", "c", "d"};
	struct verdict_case *c = case_begin();
	reset_sizes();
	for (uint32_t i = 1; i <= N_KERNELS; i++) {
		uint32_t stream = case_stream(c);
		uint32_t function = builder_function(&c->builder, names[i], 0, NULL);
		builder_launch(&c->builder, CASE_TID, stream, function, NULL, 0);
		builder_submit(&c->builder, CASE_TID, stream, WORK_COPY);
	}
	return c;
}

static void judge_with_sizes(struct verdict_case *c)
{
	const struct attribution_facts facts = {
		.code = facts_of, .n_functions = N_SIZES, .sizes = {.of = sizes, .n = N_SIZES}};
	case_judge(c, MISALIGNED);
	size_t size = attribution_scratch(&c->view);
	void *scratch = malloc(size);
	CHECK(scratch);
	CHECK_EQUAL(attribute_with_facts(&c->view, &facts, scratch, size, &c->verdict), 0);
	free(scratch);
}

static void add_words(struct verdict_case *c)
{
	for (uint32_t i = 1; i <= N_KERNELS; i++)
		add_word(c, i, WORD, starts[i]);
}

/* Nothing is cleared by a program counter: all kernels stay suspect. */
static void check_nothing_cleared(struct verdict_case *c)
{
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, N_KERNELS);
	CHECK(!case_evidence(c, EVIDENCE_FAULT_CODE));
	case_end(c);
}

static void test_a_program_counter_names_the_kernel(void)
{
	struct verdict_case *c = begin();
	add_words(c);
	add_exception(c, PC);
	judge_with_sizes(c);
	CHECK_VERDICT(c, VERDICT_EXACT, 5);
	const struct evidence *evidence = case_evidence(c, EVIDENCE_FAULT_CODE);
	CHECK_EQUAL(evidence->ordinal, 0x30);
	case_end(c);
}

static void test_unknown_sizes_only_rank(void)
{
	struct verdict_case *c = begin();
	add_words(c);
	add_exception(c, PC);
	case_judge(c, MISALIGNED);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 5);
	CHECK_EQUAL(c->verdict.lead, LEAD_FAULT);
	CHECK(case_evidence(c, EVIDENCE_FAULT_NEAREST));
	check_nothing_cleared(c);
}

static void test_code_of_unknown_size_stays_suspect(void)
{
	struct verdict_case *c = begin();
	add_words(c);
	add_exception(c, PC);
	case_judge(c, MISALIGNED);
	sizes[1] = (struct code_size){.least = 0};
	judge_with_sizes(c);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	case_end(c);
}

static void test_code_that_launches_stays_suspect(void)
{
	struct verdict_case *c = begin();
	add_words(c);
	add_exception(c, PC);
	case_judge(c, MISALIGNED);
	facts_of[4] = CODE_LAUNCHES;
	judge_with_sizes(c);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	case_end(c);
}

static void test_other_code_clears_nothing(void)
{
	static const uint64_t elsewhere[] = {BASE + 0x78, BASE + 0x1000000, BASE - 0x10, 0x1230};
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++) {
		struct verdict_case *c = begin();
		add_words(c);
		add_exception(c, elsewhere[i]);
		judge_with_sizes(c);
		check_nothing_cleared(c);
	}
}

static void test_one_of_two_program_counters_clears_nothing(void)
{
	struct verdict_case *c = begin();
	add_words(c);
	add_exception(c, PC);
	add_exception(c, 0);
	judge_with_sizes(c);
	check_nothing_cleared(c);
}

static void test_two_kernels_may_have_faulted(void)
{
	struct verdict_case *c = begin();
	add_words(c);
	add_exception(c, PC);
	add_exception(c, BASE + 0x90);
	judge_with_sizes(c);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(case_suspects(c, 3) && case_suspects(c, 5));
	case_end(c);
}

static void test_a_memory_fault_beside_it_clears_nothing(void)
{
	struct verdict_case *c = begin();
	uint32_t id;
	add_words(c);
	add_exception(c, PC);
	struct fault_row *row = builder_rows(&c->builder, JOURNAL_FAULTS, 1, &id);
	*row = (struct fault_row){.kind = FAULT_EVENT, .flags = FAULT_ADDRESS_PAGE};
	judge_with_sizes(c);
	CHECK_EQUAL(c->verdict.n_suspects, N_KERNELS);
	case_end(c);
}

/* One address for all, overlapping code, and ends of code in place of starts. */
static void test_wrong_columns_are_refused(void)
{
	struct verdict_case *c = begin();
	for (uint32_t i = 1; i <= N_KERNELS; i++)
		add_word(c, i, WORD, PC - 0x30);
	add_exception(c, PC);
	judge_with_sizes(c);
	check_nothing_cleared(c);

	c = begin();
	for (uint32_t i = 1; i <= N_KERNELS; i++)
		add_word(c, i, WORD, BASE + 0x80 * i);
	add_exception(c, BASE + 0x190);
	judge_with_sizes(c);
	check_nothing_cleared(c);

	c = begin();
	for (uint32_t i = 1; i <= N_KERNELS; i++)
		add_word(c, i, WORD, starts[i] + ((sizes[i].most + 0x7f) & ~0x7fu));
	add_exception(c, PC);
	judge_with_sizes(c);
	check_nothing_cleared(c);
}

/* With kernels of one size, starts and ends of code look alike. */
static void test_starts_may_be_ends(void)
{
	struct verdict_case *c = begin();
	for (uint32_t i = 1; i <= N_KERNELS; i++) {
		add_word(c, i, WORD, BASE + 0x100 * i);
		sizes[i] = (struct code_size){.least = 0x100, .most = 0x100};
	}
	add_exception(c, BASE + 0x230);
	judge_with_sizes(c);
	CHECK(case_evidence(c, EVIDENCE_FAULT_NEAREST));
	check_nothing_cleared(c);
}

/* The instruction at the program counter tells starts from ends, and refutes wrong addresses. */
static void test_instructions_tell(void)
{
	for (int is_access = 0; is_access < 2; is_access++) {
		struct verdict_case *c = begin();
		uint8_t accesses[2][2] = {{(uint8_t)(is_access << 3), 0}, {0, 0}};
		for (uint32_t i = 1; i <= N_KERNELS; i++) {
			add_word(c, i, WORD, BASE + 0x100 * i);
			sizes[i] = (struct code_size){.least = 0x100,
						      .most = 0x100,
						      .accesses = accesses[i != 2],
						      .n_accesses = 16};
		}
		add_exception(c, BASE + 0x230);
		judge_with_sizes(c);
		if (!is_access) {
			check_nothing_cleared(c);
			continue;
		}
		CHECK_VERDICT(c, VERDICT_EXACT, 3);
		case_end(c);
	}
}

/* Nothing agrees with the only kernel of known size. */
static void test_one_size_is_not_enough(void)
{
	struct verdict_case *c = begin();
	add_words(c);
	for (uint32_t i = 1; i <= N_KERNELS; i++)
		sizes[i] = i == 3 ? sizes[i] : (struct code_size){.least = 0};
	add_exception(c, PC);
	judge_with_sizes(c);
	check_nothing_cleared(c);
}

static void test_columns_must_agree(void)
{
	struct verdict_case *c = begin();
	add_words(c);
	for (uint32_t i = 1; i <= N_KERNELS; i++)
		add_word(c, i, WORD + 8, BASE + 0x10000 * i);
	add_exception(c, PC);
	judge_with_sizes(c);
	CHECK_VERDICT(c, VERDICT_EXACT, 5); /* the other column places it nowhere */
	case_end(c);

	c = begin();
	add_words(c);
	for (uint32_t i = 1; i <= N_KERNELS; i++)
		add_word(c, i, WORD + 8, PC - 0x10 + (i - 2) * 0x1000u);
	add_exception(c, PC);
	judge_with_sizes(c);
	check_nothing_cleared(c);
}

static void test_a_kernel_that_is_over_refuses_the_fault(void)
{
	struct verdict_case *c = begin();
	add_words(c);
	builder_sync(&c->builder, 3, 2, "cuStreamSynchronize");
	add_exception(c, PC);
	judge_with_sizes(c);
	CHECK_EQUAL(c->verdict.n_suspects, N_KERNELS - 1);
	CHECK(case_evidence(c, EVIDENCE_FAULT_REFUSED));
	case_end(c);
}

static void test_several_contexts_clear_nothing(void)
{
	struct verdict_case *c = begin();
	uint32_t context = builder_context(&c->builder, 1, "other");
	uint32_t stream =
		builder_stream(&c->builder, context, STREAM_EXPLICIT, STREAM_NON_BLOCKING, 0x7777);
	add_words(c);
	builder_launch(&c->builder, CASE_TID, stream, 1, NULL, 0);
	add_exception(c, PC);
	judge_with_sizes(c);
	CHECK_EQUAL(c->verdict.n_suspects, N_KERNELS + 1);
	case_end(c);
}

int main(void)
{
	test_a_program_counter_names_the_kernel();
	test_unknown_sizes_only_rank();
	test_code_of_unknown_size_stays_suspect();
	test_code_that_launches_stays_suspect();
	test_other_code_clears_nothing();
	test_one_of_two_program_counters_clears_nothing();
	test_two_kernels_may_have_faulted();
	test_a_memory_fault_beside_it_clears_nothing();
	test_wrong_columns_are_refused();
	test_starts_may_be_ends();
	test_instructions_tell();
	test_one_size_is_not_enough();
	test_columns_must_agree();
	test_a_kernel_that_is_over_refuses_the_fault();
	test_several_contexts_clear_nothing();
	return 0;
}
