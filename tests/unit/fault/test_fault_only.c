/*
 * test_fault_only.c - where the GPU stopped in the code of the program's only kernel, whose address
 * no other kernel confirms.
 */
#include "fault/fault_case.h"

enum { KERNEL = 3, ALIGNMENT = 0x502000f, ILLEGAL_INSTRUCTION = 0x5020004 };

static const uint64_t start = BASE + 0x200;
static uint8_t accesses[2]; /* by instructions of 16 bytes */

/* The launch of the kernel is proven to have failed. The instruction at `pc` accesses memory. */
static struct verdict_case *begin(uint64_t pc)
{
	struct verdict_case *c = fault_begin();
	for (uint32_t stream = 1; stream <= N_KERNELS; stream++) {
		fault_sizes[stream] = (struct code_size){.least = 0};
		if (stream == KERNEL)
			continue;
		builder_mark(&c->builder, stream, 2);
		fault_wait(c, CASE_TID, stream, 2); /* soon: it cannot have failed */
	}
	accesses[0] = accesses[1] = 0;
	accesses[(pc - start) / 128] = (uint8_t)(1 << (pc - start) / 16 % 8);
	fault_sizes[KERNEL] = (struct code_size){
		.least = 0x100, .most = 0x100, .accesses = accesses, .n_accesses = 16};
	fault_add_exception(c, pc)->warp_esr = ALIGNMENT;
	return c;
}

static void check(struct verdict_case *c, uint64_t wanted_start)
{
	fault_judge(c);
	CHECK_VERDICT(c, VERDICT_EXACT, 5);
	CHECK_EQUAL(c->verdict.fault_code.start, wanted_start);
	CHECK_EQUAL(c->verdict.fault_code.function, wanted_start ? KERNEL : 0);
	case_end(c);
}

static void test_one_start_fits(void)
{
	static const uint64_t offsets[] = {0, 0x30, 0xf0};
	for (int i = 0; i < 3; i++) {
		struct verdict_case *c = begin(start + offsets[i]);
		uint64_t before = offsets[i] / 16 - 1;
		if (offsets[i])
			accesses[before / 8] |= (uint8_t)(1 << before % 8);
		fault_add_word(c, KERNEL, WORD, start);
		/* Others have no access there, are no multiples of 128, above, or too far below. */
		fault_add_word(c, KERNEL, WORD + 8, start + (offsets[i] ? 0x80 : 0x100));
		fault_add_word(c, KERNEL, WORD + 16, start + 0x10);
		fault_add_word(c, KERNEL, WORD + 24, start - 0x100);
		fault_add_word(c, KERNEL, WORD + 32, start); /* the same once more */
		check(c, start);
	}
}

static void test_two_starts_fit(void)
{
	struct verdict_case *c = begin(start + 0xb0);
	accesses[0] |= 1 << 3;
	fault_add_word(c, KERNEL, WORD, start);
	fault_add_word(c, KERNEL, WORD + 8, start + 0x80);
	check(c, 0);
}

static void test_the_instruction_must_fit(void)
{
	struct verdict_case *c = begin(start + 0x30);
	fault_add_word(c, KERNEL, WORD, start);
	accesses[0] = 1 << 4;
	check(c, 0);
	c = begin(start + 0x30);
	fault_add_word(c, KERNEL, WORD, start);
	fault_sizes[KERNEL].accesses = NULL;
	check(c, 0);
	c = begin(start + 0x30);
	fault_add_word(c, KERNEL, WORD, start);
	fault_sizes[KERNEL].n_accesses = 3;
	check(c, 0);
	c = begin(start + 0xf0);
	fault_add_word(c, KERNEL, WORD, start);
	fault_sizes[KERNEL].least = 0xf0;
	check(c, 0);
}

/* The last row of the faults is the exception. */
static void test_the_exception_must_fit(void)
{
	struct verdict_case *c = begin(start + 0x30);
	fault_add_word(c, KERNEL, WORD, start);
	fault_add_exception(c, start + 0x40)->warp_esr = ALIGNMENT;
	check(c, 0);
	c = begin(start + 0x30);
	fault_add_word(c, KERNEL, WORD, start);
	fault_add_exception(c, start + 0x30)->warp_esr = ILLEGAL_INSTRUCTION;
	check(c, 0);
}

static void test_it_must_be_the_only_kernel(void)
{
	struct verdict_case *c = begin(start + 0x30);
	fault_add_word(c, KERNEL, WORD, start);
	fault_add_word(c, 1, WORD, start + 0x1000);
	check(c, 0);
	c = begin(start + 0x30);
	fault_add_word(c, KERNEL, WORD, start)->flags = 0;
	check(c, 0);
}

/* Nothing else has named the launch. */
static void test_it_proves_nothing(void)
{
	struct verdict_case *c = begin(start + 0x30);
	fault_add_word(c, KERNEL, WORD, start);
	builder_launch(&c->builder, CASE_TID, case_stream(c), KERNEL, NULL, 0);
	fault_judge(c);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.fault_code.function, 0);
	case_end(c);
}

/* The low half of a graph's handle may be a kernel's number. */
static void test_a_graph_is_no_kernel(void)
{
	struct verdict_case *c = begin(start + 0x30);
	fault_add_word(c, KERNEL, WORD, start);
	case_find(c, 5)->work = WORK_GRAPH;
	CHECK_EQUAL((uint32_t)case_find(c, 5)->graph.handle, KERNEL);
	check(c, 0);
}

int main(void)
{
	test_one_start_fits();
	test_two_starts_fit();
	test_the_instruction_must_fit();
	test_the_exception_must_fit();
	test_it_must_be_the_only_kernel();
	test_it_proves_nothing();
	test_a_graph_is_no_kernel();
	return 0;
}
