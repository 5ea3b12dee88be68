/*
 * test_memory_fault.c - words for a fault, and which pointer it came from.
 */
#include <string.h>

#include "memory/memory_fault.h"
#include "support/bundle_builder.h"
#include "support/check.h"

#define MEMORY 0x700000000000
#define HOST   (MEMORY + 0x20000) /* memory of the program's own, near to it */

static char buffer[512];

static struct bundle_builder builder;
static uint32_t context_flags = CONTEXT_LACKS_HOST_MEMORY;

/* Write the words for the first fault among the rows to `buffer`. */
static struct memory_fault describe(const struct fault_row *rows, uint32_t n)
{
	static struct bundle_view view;
	struct memory_fault fault;
	struct fault_story story;
	struct text text = text_in(buffer, sizeof(buffer));
	uint32_t id;
	builder_end(&builder); /* of the last call, whose rows were returned */
	builder_begin(&builder, 8);
	uint32_t context = builder_context(&builder, 0, "GPU");
	builder_context_row(&builder, context)->flags = context_flags;
	struct host_mapping_row *mapping = builder_rows(&builder, JOURNAL_HOST_MAPPINGS, 1, &id);
	*mapping = (struct host_mapping_row){.start = HOST, .end = HOST + 0x2000};
	(void)builder_range(&builder, MEMORY, 0x7800, 0);
	uint32_t freed = builder_range(&builder, MEMORY + 0x1000000, 0x4000000, 0);
	builder_range_row(&builder, freed)->state = RANGE_FREED;
	memcpy(builder_rows(&builder, JOURNAL_FAULTS, n, &id), rows, n * sizeof(*rows));
	builder_view(&builder, &view);
	fault_story_read(&view, &story);
	memory_fault_read(&view, NULL, &story, &fault);
	if (fault.row) {
		memory_fault_add_access(&fault, &text);
		memory_fault_add_place(&view, &fault, view_context(&view, context), &text);
	}
	return fault;
}

static void check_event(uint8_t access, uint64_t page, const char *words)
{
	const struct fault_row row = {.kind = FAULT_EVENT,
				      .access = access,
				      .flags = FAULT_ADDRESS_PAGE,
				      .address = page};
	(void)describe(&row, 1);
	CHECK_STRING(buffer, words);
}

static void check_exception(uint32_t esr, uint64_t address, const char *words)
{
	const struct fault_row row = {.kind = FAULT_EXCEPTION,
				      .warp_esr = esr,
				      .flags = FAULT_ADDRESS_BYTE,
				      .address = address};
	(void)describe(&row, 1);
	CHECK_STRING(buffer, words);
}

static void test_memory_faults(void)
{
	check_event(FAULT_WRITE, MEMORY + 0x9800,
		    "wrote 0x700000009800 (4 KiB page), 8 KiB past the end of allocation #1");
	check_event(FAULT_READ, MEMORY + 0x100c000,
		    "read 0x70000100c000 (4 KiB page), 48 KiB into freed allocation #2");
	check_event(FAULT_READ, MEMORY,
		    "read 0x700000000000 (4 KiB page), at the start of allocation #1");
	check_event(FAULT_ATOMIC, MEMORY - 0x1000,
		    "atomic access to 0x6ffffffff000 (4 KiB page), 4 KiB before allocation #1");
	check_event(FAULT_READ, 0, "read 0x0 (4 KiB page), near address 0: a null pointer");
	check_event(FAULT_WRITE, 0x2000,
		    "wrote 0x2000 (4 KiB page), near address 0: a null pointer + 8192 or more");
	check_event(FAULT_READ, HOST + 0x1000,
		    "read 0x700000021000 (4 KiB page) = the program's own memory, not registered: "
		    "device 0 cannot access it");
	check_event(FAULT_READ, HOST + 0x2000,
		    "read 0x700000022000 (4 KiB page), 106 KiB past the end of allocation #1");
	check_event(9, 0x123456789000,
		    "accessed 0x123456789000 (4 KiB page), where no known memory is");
}

/* An event of a kernel with larger pages than the GPU's. */
static void test_large_pages(void)
{
	const struct fault_row row = {.kind = FAULT_EVENT,
				      .access = FAULT_WRITE,
				      .flags = FAULT_ADDRESS_PAGE,
				      .page_shift = 16,
				      .address = MEMORY + 0x10000};
	const struct memory_fault fault = describe(&row, 1);
	CHECK_STRING(buffer, "wrote 0x700000010000 (64 KiB page), 34 KiB past the end of "
			     "allocation #1");
	/* A pointer in the page is as near as its start. */
	CHECK_EQUAL(memory_fault_fit(&fault, row.address + 0xffff),
		    memory_fault_fit(&fault, row.address));
	CHECK(memory_fault_fit(&fault, row.address + 0x10000) <
	      memory_fault_fit(&fault, row.address));
}

/* A device that uses the process's page tables has no host memory that it cannot access. */
static void test_host_tables(void)
{
	context_flags = CONTEXT_USES_HOST_TABLES;
	check_event(FAULT_READ, HOST + 0x1000,
		    "read 0x700000021000 (4 KiB page), in the program's own memory: device 0 uses "
		    "the program's page tables, and the page was missing or protected then");
	check_event(9, 0x123456789000,
		    "accessed 0x123456789000 (4 KiB page), which the program has not mapped: "
		    "device 0 uses the program's page tables");
	check_event(FAULT_READ, MEMORY,
		    "read 0x700000000000 (4 KiB page), at the start of allocation #1");
	context_flags = CONTEXT_LACKS_HOST_MEMORY;
}

static void test_exceptions(void)
{
	check_exception(0x502000f, MEMORY + 0x11,
			"misaligned access at 0x700000000011, 17 B into allocation #1");
	check_exception(0x102000e, 0xdeadbeef12345678,
			"accessed 0xdeadbeef12345678, not a valid GPU address");
	check_exception(
		0x102000e, 0xfffffffe00000003,
		"accessed 0xfffffffe00000003, not a valid GPU address; as two int32: 3 and -2");
	check_exception(0xc01000e, 0x400400, "shared memory out of range, offset 0x400400");
	check_exception(0xc03000e, 0x400400, "shared memory out of range, offset 0x400400");
	check_exception(0xc02000b, 0x4000400, "shared memory out of range, offset 0x4000400");
	check_exception(0x203000e, 0xfff000, "local memory out of range, offset 0xfff000");
	check_exception(0x202000e, 0xfff000, "local memory out of range, offset 0xfff000");
	check_exception(0x302000e, 0, "the stack overflowed");
	check_exception(0x1000009, 0x10, "exception 0x1000009 at 0x10");
}

/* Summaries alone are no fault. If there are both kinds, the memory fault is shown. */
static void test_choice(void)
{
	const struct fault_row summary = {.kind = FAULT_EVENTS_READ};
	const struct fault_row both[] = {
		{.kind = FAULT_EXCEPTION, .warp_esr = 0x502000f},
		{.kind = FAULT_MMU, .flags = FAULT_ADDRESS_PAGE, .address = 0x5000},
		{.kind = FAULT_EVENT, .flags = FAULT_ADDRESS_PAGE, .address = 0x4000}};
	CHECK_EQUAL(describe(&summary, 1).kind, MEMORY_FAULT_NONE);
	CHECK_EQUAL(describe(both, 3).row->address, 0x4000);
}

static void test_pointers(void)
{
	const struct fault_row row = {
		.kind = FAULT_EVENT, .flags = FAULT_ADDRESS_PAGE, .address = MEMORY + 0x9000};
	const struct memory_fault fault = describe(&row, 1);
	uint64_t inside = memory_fault_fit(&fault, MEMORY + 0x10);
	uint64_t beside = memory_fault_fit(&fault, MEMORY + 0x9008);
	CHECK(inside > beside && beside > memory_fault_fit(&fault, MEMORY + 0x100000));
	CHECK_EQUAL(memory_fault_fit(&fault, 3), 0);
	CHECK_EQUAL(memory_fault_fit(&fault, 0x7fffffffffff0000), 0);
}

/* Memory is as it was when the suspects were launched. */
static void test_freed_later(void)
{
	static struct verdict verdict = {.n_suspects = 2};
	const struct fault_row row = {
		.kind = FAULT_EVENT, .flags = FAULT_ADDRESS_PAGE, .address = MEMORY + 0x1001000};
	struct bundle_view view;
	struct fault_story story;
	struct memory_fault fault;
	(void)describe(&row, 1);
	builder_range_row(&builder, 2)->freed_after = 7;
	builder_view(&builder, &view);
	fault_story_read(&view, &story);
	verdict.suspects[0].record.sequence = 9;
	verdict.suspects[1].record.sequence = 7;
	memory_fault_read(&view, &verdict, &story, &fault);
	CHECK_EQUAL(fault.answer.relation, MEMORY_INSIDE); /* it may be that of the older one */
	verdict.n_suspects = 1;
	memory_fault_read(&view, &verdict, &story, &fault);
	CHECK_EQUAL(fault.answer.relation, MEMORY_FREED);
	verdict.suspects[0].record.sequence = 7;
	memory_fault_read(&view, &verdict, &story, &fault);
	CHECK_EQUAL(fault.answer.relation, MEMORY_INSIDE);
	memory_fault_read(&view, NULL, &story, &fault);
	CHECK_EQUAL(fault.answer.relation, MEMORY_FREED);
}

static void check_place(enum memory_relation relation, const char *words)
{
	const struct fault_row row = {.kind = FAULT_EVENT, .address = MEMORY + 0x1001000};
	const struct memory_fault fault = {
		.row = &row,
		.has_address = true,
		.answer = {.relation = relation, .distance = 0x1000, .range = {.number = 2}}};
	struct text text = text_in(buffer, sizeof(buffer));
	buffer[0] = '\0';
	memory_fault_add_place(NULL, &fault, NULL, &text);
	CHECK_STRING(buffer, words);
}

/* Memory that is freed while work may use it is named as the allocation that it is. */
static void test_places(void)
{
	check_place(MEMORY_INSIDE, ", 4 KiB into allocation #2");
	check_place(MEMORY_FREED, ", 4 KiB into freed allocation #2");
	check_place(MEMORY_IN_FLIGHT, ", 4 KiB into allocation #2");
}

/* Check the words if the verdict's instruction, which is at `pc`, reads or writes that many bytes.
 */
static void check_instruction(uint32_t esr, uint64_t address, uint64_t pc,
			      struct instruction_access access, const char *words)
{
	static struct verdict verdict;
	const struct fault_row row = {.kind = FAULT_EXCEPTION,
				      .warp_esr = esr,
				      .flags = FAULT_ADDRESS_BYTE | FAULT_HAS_PC,
				      .address = address,
				      .pc = 0x1030};
	struct bundle_view view;
	struct fault_story story;
	struct memory_fault fault;
	struct text text = text_in(buffer, sizeof(buffer));
	(void)describe(&row, 1);
	builder_view(&builder, &view);
	fault_story_read(&view, &story);
	verdict.fault_code = (struct code_location){.function = 1, .start = 0x1000, .pc = pc};
	verdict.fault_access = access;
	memory_fault_read(&view, &verdict, &story, &fault);
	text = text_in(buffer, sizeof(buffer));
	memory_fault_add_access(&fault, &text);
	CHECK_STRING(buffer, words);
}

static void test_instructions(void)
{
	static const struct instruction_access read_16 = {FAULT_READ, 16};
	static const struct instruction_access atomic_8 = {FAULT_ATOMIC, 8};
	static const struct instruction_access write_1 = {FAULT_WRITE, 1};
	static const struct instruction_access unknown = {FAULT_ACCESS_UNKNOWN, 0};
	check_instruction(0x502000f, MEMORY + 8, 0x1030, read_16,
			  "misaligned 16-byte read at 0x700000000008");
	check_instruction(0x502000f, MEMORY + 4, 0x1030, atomic_8,
			  "misaligned 8-byte atomic at 0x700000000004");
	check_instruction(0x502000f, MEMORY + 8, 0x1030, unknown,
			  "misaligned access at 0x700000000008");
	/* Another instruction, and instructions that cannot have done this. */
	check_instruction(0x502000f, MEMORY + 8, 0x1040, read_16,
			  "misaligned access at 0x700000000008");
	check_instruction(0x502000f, MEMORY + 16, 0x1030, read_16,
			  "misaligned access at 0x700000000010");
	check_instruction(0x502000f, MEMORY + 8, 0x1030, write_1,
			  "misaligned access at 0x700000000008");
	check_instruction(0x102000e, 0xdeadbeef12345670, 0x1030, read_16,
			  "read 16 bytes at 0xdeadbeef12345670");
	check_instruction(0x102000e, 0xdeadbeef12345678, 0x1030, write_1,
			  "wrote 1 byte at 0xdeadbeef12345678");
	check_instruction(0x102000e, 0xdeadbeef12345678, 0x1030, unknown,
			  "accessed 0xdeadbeef12345678");
}

int main(void)
{
	test_freed_later();
	test_places();
	test_instructions();
	test_memory_faults();
	test_large_pages();
	test_host_tables();
	test_exceptions();
	test_choice();
	test_pointers();
	builder_end(&builder);
	return 0;
}
