/*
 * test_code_extents.c - the kernel around a program counter, and what that clears. Contradictions
 * and unknown sizes clear nothing.
 */
#include "fault/fault_case.h"

static void test_a_program_counter_names_the_kernel(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	fault_add_exception(c, PC);
	fault_judge(c);
	CHECK_VERDICT(c, VERDICT_EXACT, 5);
	const struct evidence *evidence = case_evidence(c, EVIDENCE_FAULT_CODE);
	CHECK_EQUAL(evidence->ordinal, 0x30);
	CHECK_STRING(view_string(&c->view, evidence->call, NULL), "c");
	case_end(c);
}

static void add_buffer(struct verdict_case *c)
{
	builder_time(&c->builder, 1);
	uint32_t id = builder_range(&c->builder, 0x10000, 0x1000, 0);
	struct range_row *buffer = builder_range_row(&c->builder, id);
	buffer->kind = RANGE_DEVICE;
	buffer->context = c->context;
	builder_time(&c->builder, 1);
}

/* The program counter clears a copy, and so does its memory: that is counted once. */
static void test_what_clears_a_copy_first(void)
{
	struct verdict_case *c = fault_begin_after(add_buffer);
	fault_add_words(c);
	fault_add_row(c, FAULT_EVENTS_READ);
	fault_add_exception(c, PC);
	case_find(c, 2)->memory = (struct record_memory){0x10000, 0x10800, 64};
	fault_judge_code(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 5);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_MEMORY)->count, 1);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_FAULT_CODE)->count, 2 * N_KERNELS - 2);
	CHECK(!case_evidence(c, EVIDENCE_CLASS));
	case_end(c);
}

static void test_unknown_sizes_only_rank(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	fault_add_exception(c, PC);
	case_judge(c, MISALIGNED);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 5);
	CHECK_EQUAL(c->verdict.lead, LEAD_FAULT);
	CHECK(case_evidence(c, EVIDENCE_FAULT_NEAREST));
	fault_check_nothing_cleared(c);
}

static void test_code_of_unknown_size_stays_suspect(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	fault_add_exception(c, PC);
	case_judge(c, MISALIGNED);
	fault_sizes[1] = (struct code_size){.least = 0};
	fault_judge(c);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	case_end(c);
}

/* One version of the kernel is long enough for the program counter. */
static void test_the_longest_version_stays_suspect(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	fault_add_exception(c, PC);
	case_judge(c, MISALIGNED);
	fault_sizes[2].most = 0x500;
	fault_judge(c);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(case_suspects(c, 3) && case_suspects(c, 5));
	case_end(c);
}

/* A handle that was not valid when its object was read: its address proves nothing. */
static void test_an_invalid_handle_stays_suspect(void)
{
	for (uint32_t invalid = 3; invalid <= 4; invalid++) {
		struct verdict_case *c = fault_begin();
		for (uint32_t i = 1; i <= N_KERNELS; i++)
			fault_add_word(c, i, WORD, fault_starts[i])->flags =
				i == invalid ? 0 : CODE_CONFIRMED;
		fault_add_exception(c, PC);
		fault_judge(c);
		if (invalid == 3) {
			fault_check_nothing_cleared(c);
			continue;
		}
		CHECK_EQUAL(c->verdict.n_suspects, 2);
		case_end(c);
	}
}

/* Even if another suspect may have launched the kernel there. */
static void test_an_invalid_handle_contains_nothing(void)
{
	struct verdict_case *c = fault_begin();
	for (uint32_t i = 1; i <= N_KERNELS; i++)
		fault_add_word(c, i, WORD, fault_starts[i])->flags = i == 3 ? 0 : CODE_CONFIRMED;
	fault_add_exception(c, PC);
	case_judge(c, MISALIGNED);
	fault_code_facts[4] = CODE_LAUNCHES;
	fault_judge(c);
	fault_check_nothing_cleared(c);
}

static void test_code_that_launches_stays_suspect(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	fault_add_exception(c, PC);
	case_judge(c, MISALIGNED);
	fault_code_facts[4] = CODE_LAUNCHES;
	fault_judge(c);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	case_end(c);
}

static void test_other_code_clears_nothing(void)
{
	static const uint64_t elsewhere[] = {BASE + 0x78, BASE + 0x1000000, BASE - 0x10, 0x1230};
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++) {
		struct verdict_case *c = fault_begin();
		fault_add_words(c);
		fault_add_exception(c, elsewhere[i]);
		fault_judge(c);
		fault_check_nothing_cleared(c);
	}
}

/* The code that starts below is named as far as a kernel may be long. */
static void test_code_far_below_is_not_named(void)
{
	const uint64_t longest = 1 << 20;
	for (int is_far = 0; is_far < 2; is_far++) {
		struct verdict_case *c = fault_begin();
		fault_add_words(c);
		fault_add_exception(c, fault_starts[N_KERNELS] + longest - (is_far ? 0 : 0x10));
		fault_judge(c);
		CHECK_EQUAL(!case_evidence(c, EVIDENCE_FAULT_NEAREST), is_far);
		CHECK_EQUAL(c->verdict.suspects[0].record.sequence, is_far ? 1 : 7);
		fault_check_nothing_cleared(c);
	}
}

static void test_one_of_two_program_counters_clears_nothing(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	fault_add_exception(c, PC);
	fault_add_exception(c, 0);
	fault_judge(c);
	fault_check_nothing_cleared(c);
}

static void test_two_kernels_may_have_faulted(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	fault_add_exception(c, PC);
	fault_add_exception(c, BASE + 0x90);
	fault_judge(c);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(case_suspects(c, 3) && case_suspects(c, 5));
	CHECK_EQUAL(case_evidence(c, EVIDENCE_FAULT_CODE)->call, 0);
	CHECK_EQUAL(c->verdict.fault_code.function, c->verdict.suspects[0].record.launch.function);
	case_end(c);
}

/* One address for all, overlapping code, and ends of code in place of starts. */
static void test_wrong_columns_are_refused(void)
{
	struct verdict_case *c = fault_begin();
	for (uint32_t i = 1; i <= N_KERNELS; i++)
		fault_add_word(c, i, WORD, PC - 0x30);
	fault_add_exception(c, PC);
	fault_judge(c);
	fault_check_nothing_cleared(c);

	c = fault_begin();
	for (uint32_t i = 1; i <= N_KERNELS; i++)
		fault_add_word(c, i, WORD, BASE + 0x80 * i);
	fault_add_exception(c, BASE + 0x190);
	fault_judge(c);
	fault_check_nothing_cleared(c);

	c = fault_begin();
	for (uint32_t i = 1; i <= N_KERNELS; i++)
		fault_add_word(c, i, WORD,
			       fault_starts[i] + ((fault_sizes[i].most + 0x7f) & ~0x7fu));
	fault_add_exception(c, PC);
	fault_judge(c);
	fault_check_nothing_cleared(c);
}

static uint32_t add_unnamed_function(struct verdict_case *c)
{
	uint32_t id = 0;
	struct function_row *row = builder_rows(&c->builder, JOURNAL_FUNCTIONS, 1, &id);
	*row = (struct function_row){.handle = 0x9990};
	return id;
}

static struct function_row *function_rows(struct verdict_case *c)
{
	unsigned char *bytes = c->builder.tables[JOURNAL_FUNCTIONS].bytes;
	return (struct function_row *)(void *)(bytes + sizeof(struct file_header));
}

/* Two functions without a name are not known to be the same kernel. */
static void test_unnamed_functions_share_no_address(void)
{
	struct verdict_case *c = fault_begin();
	uint32_t other = add_unnamed_function(c);
	function_rows(c)[2].name = 0; /* of kernel 3 */
	fault_add_word(c, other, WORD, fault_starts[3]);
	fault_add_words(c);
	fault_add_exception(c, PC);
	fault_judge(c);
	fault_check_nothing_cleared(c);
}

/* Another function shares the address, or its code overlaps. Its row is far away in the table. */
static void test_code_that_overlaps_is_refused(void)
{
	static const uint64_t starts[] = {BASE + 0x480, BASE + 0x500};
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		struct verdict_case *c = fault_begin();
		fault_add_word(c, add_unnamed_function(c), WORD, starts[i]);
		for (uint32_t n = 1; n <= 100; n++)
			fault_add_word(c, add_unnamed_function(c), WORD, BASE + 0x100000 * n);
		fault_add_words(c);
		fault_add_exception(c, PC);
		fault_judge(c);
		fault_check_nothing_cleared(c);
	}
}

/* With kernels of one size, starts and ends of code look alike. */
static void test_starts_may_be_ends(void)
{
	struct verdict_case *c = fault_begin();
	for (uint32_t i = 1; i <= N_KERNELS; i++) {
		fault_add_word(c, i, WORD, BASE + 0x100 * i);
		fault_sizes[i] = (struct code_size){.least = 0x100, .most = 0x100};
	}
	fault_add_exception(c, BASE + 0x230);
	fault_judge(c);
	CHECK(case_evidence(c, EVIDENCE_FAULT_NEAREST));
	fault_check_nothing_cleared(c);
}

/* Kernels of one size, and an exception. One kernel may have an access at its program counter. */
static struct verdict_case *judge_accesses(bool is_access, uint32_t exception)
{
	struct verdict_case *c = fault_begin();
	uint8_t accesses[2][2] = {{(uint8_t)(is_access << 3), 0}, {0, 0}};
	for (uint32_t i = 1; i <= N_KERNELS; i++) {
		fault_add_word(c, i, WORD, BASE + 0x100 * i);
		fault_sizes[i] = (struct code_size){.least = 0x100,
						    .most = 0x100,
						    .accesses = accesses[i != 2],
						    .n_accesses = 16};
	}
	fault_add_exception(c, BASE + 0x230)->warp_esr = exception;
	fault_judge(c);
	return c;
}

/* Instructions tell nothing about an exception that is not an access's, such as an illegal one. */
static void test_only_accesses_tell(void)
{
	enum { ILLEGAL_INSTRUCTION = 0x04, ADDRESS = 0x0e };
	struct verdict_case *c = judge_accesses(true, ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);
	case_end(c);
	fault_check_nothing_cleared(judge_accesses(true, ILLEGAL_INSTRUCTION));
}

/* The instruction at the program counter tells starts from ends, and refutes wrong addresses. */
static void test_instructions_tell(void)
{
	enum { ALIGNMENT = 0x502000f };
	for (int is_access = 0; is_access < 2; is_access++) {
		struct verdict_case *c = judge_accesses(is_access, ALIGNMENT);
		if (!is_access) {
			fault_check_nothing_cleared(c);
			continue;
		}
		CHECK_VERDICT(c, VERDICT_EXACT, 3);
		case_end(c);
	}
}

/* Nothing agrees with the only kernel of known size. */
static void test_one_size_is_not_enough(void)
{
	struct verdict_case *c = fault_begin();
	fault_add_words(c);
	for (uint32_t i = 1; i <= N_KERNELS; i++)
		fault_sizes[i] = i == 3 ? fault_sizes[i] : (struct code_size){.least = 0};
	fault_add_exception(c, PC);
	fault_judge(c);
	fault_check_nothing_cleared(c);
}

/* Add a column whose words are `start` and so much more for each further kernel. */
static void add_column(struct verdict_case *c, uint16_t offset, uint64_t start, uint64_t step)
{
	for (uint32_t i = 1; i <= N_KERNELS; i++)
		fault_add_word(c, i, offset, start + (i - 1) * step);
}

/* Another column places the program counter in or near another kernel. It comes first or last. */
static void test_columns_must_agree(void)
{
	static const struct {
		uint64_t start, step;
	} others[] = {{PC - 0x1010, 0x1000}, {PC - 0x100010, 0x1000000}, {PC - 0x1000010, 0x1000}};
	for (size_t i = 0; i < 2 * sizeof(others) / sizeof(others[0]); i++) {
		struct verdict_case *c = fault_begin();
		uint16_t offset = i % 2 ? WORD + 8 : WORD - 8;
		if (i % 2)
			fault_add_words(c);
		add_column(c, offset, others[i / 2].start, others[i / 2].step);
		if (i % 2 == 0)
			fault_add_words(c);
		fault_add_exception(c, PC);
		fault_judge(c);
		fault_check_nothing_cleared(c);
	}
}

/* Columns that are no addresses of code: as on an H100, and above the program counter. */
static void test_columns_far_away_are_ignored(void)
{
	static const uint64_t words[] = {0x10000000100, 0x800000180, 0x40000000000, 0xc0000000c000,
					 PC + 0x10};
	struct verdict_case *c = fault_begin();
	for (uint16_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		add_column(c, (uint16_t)(0x38 + 8 * i), words[i], 0x10000);
	fault_add_words(c);
	fault_add_exception(c, PC);
	fault_judge(c);
	CHECK_VERDICT(c, VERDICT_EXACT, 5);
	case_end(c);
}

int main(void)
{
	test_a_program_counter_names_the_kernel();
	test_what_clears_a_copy_first();
	test_unknown_sizes_only_rank();
	test_code_of_unknown_size_stays_suspect();
	test_the_longest_version_stays_suspect();
	test_an_invalid_handle_stays_suspect();
	test_an_invalid_handle_contains_nothing();
	test_code_that_launches_stays_suspect();
	test_other_code_clears_nothing();
	test_code_far_below_is_not_named();
	test_one_of_two_program_counters_clears_nothing();
	test_two_kernels_may_have_faulted();
	test_wrong_columns_are_refused();
	test_unnamed_functions_share_no_address();
	test_code_that_overlaps_is_refused();
	test_starts_may_be_ends();
	test_only_accesses_tell();
	test_instructions_tell();
	test_one_size_is_not_enough();
	test_columns_must_agree();
	test_columns_far_away_are_ignored();
	return 0;
}
