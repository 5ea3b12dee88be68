/*
 * test_fault_page.c - the page of a memory fault clears copies elsewhere, and ranks kernels.
 */
#include "support/check.h"
#include "support/verdict_case.h"

#define MEMORY 0x700000000000
#define PAGE   (MEMORY + 0x9000)

/* An event, which the driver's own list confirms: row 3. */
static void add_event(struct verdict_case *c, uint64_t page, uint32_t n_lost, uint16_t flags)
{
	uint32_t id;
	struct fault_row *rows = builder_rows(&c->builder, JOURNAL_FAULTS, 3, &id);
	rows[2] =
		(struct fault_row){.kind = FAULT_MMU, .flags = FAULT_ADDRESS_PAGE, .address = page};
	rows[0] = (struct fault_row){
		.kind = FAULT_EVENTS_READ, .count = 1 + n_lost, .n_lost = n_lost, .flags = flags};
	rows[1] = (struct fault_row){.kind = FAULT_EVENT,
				     .access = FAULT_WRITE,
				     .flags = FAULT_ADDRESS_PAGE,
				     .address = page};
}

static void add_copy(struct verdict_case *c, uint64_t source, uint64_t destination, uint64_t bytes)
{
	struct journal_record *record =
		builder_submit(&c->builder, CASE_TID, case_stream(c), WORK_COPY);
	record->memory = (struct record_memory){
		.source = source, .destination = destination, .bytes = bytes};
}

/* #1 is a copy away from the page, #2 from there, #3 into it, #4 of an unknown shape. */
static struct verdict_case *begin_copies(void)
{
	struct verdict_case *c = case_begin();
	add_copy(c, PAGE - 0x1000, PAGE + 0x1000, 0x1000);
	add_copy(c, PAGE + 0x800, MEMORY, 0x10);
	add_copy(c, MEMORY, PAGE - 0x10, 0x20);
	add_copy(c, MEMORY, PAGE + 0x10, 0);
	return c;
}

static void test_copies_elsewhere_are_cleared(void)
{
	struct verdict_case *c = begin_copies();
	add_event(c, PAGE, 0, 0);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	CHECK(!case_suspects(c, 1));
	CHECK_EQUAL(c->verdict.suspects[2].record.sequence, 4);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_FAULT_PAGE)->count, 1);
	CHECK(!case_evidence(c, EVIDENCE_CLASS));
	case_end(c);
}

static void test_incomplete_lists_clear_nothing(void)
{
	for (int i = 0; i < 3; i++) {
		struct verdict_case *c = begin_copies();
		uint32_t id;
		add_event(c, PAGE, i == 0, i == 1 ? FAULT_LATE : 0);
		struct fault_row *row = builder_rows(&c->builder, JOURNAL_FAULTS, 1, &id);
		*row = (struct fault_row){.kind = i == 2 ? FAULT_EXCEPTION : FAULT_MMU_LIST_READ};
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_EQUAL(c->verdict.n_suspects, 4);
		/* A copy that touches the page is named first, unless there may be two faults. */
		CHECK_EQUAL(c->verdict.suspects[0].record.sequence, i == 2 ? 1 : 2);
		CHECK(!case_evidence(c, EVIDENCE_FAULT_PAGE));
		case_end(c);
	}
}

/* Without the list, or with another page in it, the reports may be misread. */
static void test_pages_need_to_be_confirmed(void)
{
	for (int i = 0; i < 2; i++) {
		struct verdict_case *c = begin_copies();
		add_event(c, PAGE, 0, 0);
		if (i == 0)
			builder_fault_row(&c->builder, 3)->address = PAGE + 0x100000;
		else
			builder_fault_row(&c->builder, 3)->kind = FAULT_MMU_LIST_READ;
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_EQUAL(c->verdict.n_suspects, 4);
		CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 2);
		CHECK(!case_evidence(c, EVIDENCE_FAULT_PAGE));
		case_end(c);
	}
}

/* All work is cleared: the page contradicts that, so it clears nothing. */
static void test_nobody_left(void)
{
	struct verdict_case *c = case_begin();
	add_copy(c, MEMORY, MEMORY + 0x100, 0x10);
	add_event(c, PAGE, 0, 0);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 1);
	CHECK(case_evidence(c, EVIDENCE_FAULT_REFUSED));
	case_end(c);
}

static void add_kernel(struct verdict_case *c, const char *name, uint64_t pointer)
{
	static const uint32_t sizes[] = {8};
	uint32_t function = builder_function(&c->builder, name, 1, sizes);
	builder_launch(&c->builder, CASE_TID, case_stream(c), function, &pointer, sizeof(pointer));
}

/*
 * The pointer of #3 is to the memory before the page, so #3 is named first; this clears no launch.
 */
static void test_kernels_are_ranked(void)
{
	struct verdict_case *c = case_begin();
	(void)builder_range(&c->builder, MEMORY, 0x8800, 0);
	(void)builder_range(&c->builder, MEMORY + 0x100000, 0x1000, 0);
	add_kernel(c, "a", 7);
	add_kernel(c, "b", MEMORY + 0x100000);
	add_kernel(c, "c", MEMORY + 0x10);
	add_event(c, PAGE, 0, 0);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 3);
	CHECK_EQUAL(c->verdict.lead, LEAD_FAULT);
	case_end(c);
}

/* The newest memory that was at the page counts, even far from it. */
static void test_memory_at_the_page(void)
{
	struct verdict_case *c = case_begin();
	(void)builder_range(&c->builder, MEMORY, 0x10000, 0);
	(void)builder_range(&c->builder, PAGE - 0x1000, 0x4000, 0);
	add_kernel(c, "a", MEMORY + 0x10);
	add_kernel(c, "b", PAGE + 0x2000);
	add_event(c, PAGE, 0, 0);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 2);
	CHECK_EQUAL(c->verdict.lead, LEAD_FAULT);
	case_end(c);
}

/* Rows are not in the order in which the memory was made, and some have a handle, no address. */
static void test_order_of_rows(void)
{
	struct verdict_case *c = case_begin();
	uint32_t newest = builder_range(&c->builder, PAGE - 0x1000, 0x4000, 0);
	(void)builder_range(&c->builder, MEMORY, 0x10000, 0);
	uint32_t array = builder_range(&c->builder, PAGE - 0x8000, 0x10000, 0);
	builder_range_row(&c->builder, newest)->number = 3;
	builder_range_row(&c->builder, array)->kind = RANGE_ARRAY;
	builder_range_row(&c->builder, array)->number = 4;
	add_kernel(c, "a", MEMORY + 0x10);
	add_kernel(c, "b", PAGE - 0x7000);
	add_kernel(c, "c", PAGE + 0x2000);
	add_event(c, PAGE, 0, 0);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 3);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	case_end(c);
}

/* Freed memory before the page does not count, and of two that end there the first row does. */
static void test_memory_before_the_page(void)
{
	struct verdict_case *c = case_begin();
	(void)builder_range(&c->builder, MEMORY, 0x8800, 0);
	(void)builder_range(&c->builder, MEMORY + 0x8000, 0x800, 0);
	uint32_t freed = builder_range(&c->builder, MEMORY + 0x8800, 0x800, 0);
	builder_range_row(&c->builder, freed)->state = RANGE_FREED;
	add_kernel(c, "a", MEMORY + 0x8810);
	add_kernel(c, "b", MEMORY + 0x10);
	add_event(c, PAGE, 0, 0);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 2);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	case_end(c);
}

/* The live memory before the page counts if it ends less than 1 GiB before it. */
static void test_distance(void)
{
	enum { GIB = 1 << 30 };
	static const uint64_t gaps[] = {0, GIB - FAULT_PAGE_SIZE, GIB};
	for (size_t i = 0; i < sizeof(gaps) / sizeof(*gaps); i++) {
		const uint64_t gap = gaps[i];
		struct verdict_case *c = case_begin();
		(void)builder_range(&c->builder, PAGE - gap - 0x1000, 0x1000, 0);
		add_kernel(c, "a", 7);
		add_kernel(c, "b", PAGE - gap - 0x10);
		add_event(c, PAGE, 0, 0);
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_EQUAL(c->verdict.suspects[0].record.sequence, gap < GIB ? 2 : 1);
		case_end(c);
	}
}

/* A fault that is counted, or that has no address, has no page. */
static void test_no_page(void)
{
	for (int i = 0; i < 2; i++) {
		struct verdict_case *c = case_begin();
		uint32_t id;
		add_kernel(c, "a", 7);
		add_kernel(c, "b", 0);
		struct fault_row *row = builder_rows(&c->builder, JOURNAL_FAULTS, 1, &id);
		*row = (struct fault_row){.kind = i ? FAULT_EVENT : FAULT_EVENTS_READ, .count = 1};
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_EQUAL(c->verdict.n_suspects, 2);
		CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 1);
		case_end(c);
	}
}

/* A fault that the MMU alone shows has a page, too. An event's page is preferred to it. */
static void test_page_of_the_mmu(void)
{
	struct verdict_case *c = case_begin();
	uint32_t id;
	struct fault_row *row = builder_rows(&c->builder, JOURNAL_FAULTS, 1, &id);
	*row = (struct fault_row){.kind = FAULT_MMU, .flags = FAULT_ADDRESS_PAGE, .address = PAGE};
	add_kernel(c, "a", MEMORY);
	add_kernel(c, "b", PAGE + 8);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 2);
	CHECK_EQUAL(c->verdict.lead, LEAD_FAULT);
	add_event(c, MEMORY, 0, 0);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 1);
	CHECK_EQUAL(c->verdict.lead, LEAD_FAULT);
	case_end(c);
}

/* A fault without a page says nothing about copies: kernels come first, as they fault most. */
static void test_a_fault_without_page_ranks_no_copy(void)
{
	struct verdict_case *c = begin_copies();
	uint32_t id;
	add_event(c, PAGE + 0x100000, 0, 0);
	struct fault_row *row = builder_rows(&c->builder, JOURNAL_FAULTS, 1, &id);
	*row = (struct fault_row){.kind = FAULT_MMU};
	case_launch(c, case_stream(c), 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 5);
	CHECK_EQUAL(c->verdict.n_suspects, 5);
	case_end(c);
}

/* A copy of unknown order that touches the page is named first, but the page clears none. */
static void test_unordered_copies_are_ranked(void)
{
	struct verdict_case *c = begin_copies();
	add_event(c, PAGE, 0, 0);
	case_find(c, 1)->flags |= RECORD_UNORDERED;
	case_find(c, 2)->flags |= RECORD_UNORDERED;
	case_find(c, 3)->memory.destination = MEMORY;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 2);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	CHECK(case_suspects(c, 1) && case_suspects(c, 4));
	case_end(c);
}

static void test_null_pointers(void)
{
	struct verdict_case *c = case_begin();
	add_kernel(c, "a", 7);
	add_kernel(c, "b", 0);
	add_event(c, 0, 0, 0);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 2);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	case_end(c);
}

/* Launch a kernel with a pointer and an index of four-byte elements. */
static void add_indexed(struct verdict_case *c, uint64_t pointer, uint64_t index)
{
	static const uint32_t sizes[] = {8, 8};
	const uint64_t arguments[] = {pointer, index};
	uint32_t function = builder_function(&c->builder, "put", 2, sizes);
	builder_launch(&c->builder, CASE_TID, case_stream(c), function, arguments,
		       sizeof(arguments));
}

#define FAR_INDEX ((uint64_t)1 << 38)

/* #2 alone has an index that leads to the page: the others are less likely, but not cleared. */
static void test_an_address_that_follows_is_likely(void)
{
	struct verdict_case *c = case_begin();
	(void)builder_range(&c->builder, MEMORY, 0x8000, 0);
	add_indexed(c, MEMORY + 0x10, 7);
	add_indexed(c, MEMORY + 0x10, FAR_INDEX);
	add_indexed(c, MEMORY + 0x10, FAR_INDEX + 0x1001);
	add_event(c, (MEMORY + 4 * FAR_INDEX) & -(uint64_t)FAULT_PAGE_SIZE, 0, 0);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_LIKELY, 2);
	CHECK_EQUAL(c->verdict.n_suspects, 1);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_FAULT_ADDRESS)->count, 2);
	CHECK(!case_evidence(c, EVIDENCE_MARKERS_LAG));
	CHECK(!c->verdict.is_complete);
	case_end(c);
}

/* It only ranks: two have such an index, work of unknown order is left, or the page is near. */
static void test_an_address_that_follows_ranks(void)
{
	for (int i = 0; i < 3; i++) {
		struct verdict_case *c = case_begin();
		uint64_t index = i == 2 ? 0x8000 / 4 : FAR_INDEX;
		(void)builder_range(&c->builder, MEMORY, 0x8000, 0);
		add_indexed(c, MEMORY + 0x10, 7);
		add_indexed(c, MEMORY + 0x10, index);
		if (i == 0)
			add_indexed(c, MEMORY + 0x20, index);
		if (i == 1)
			builder_submit(&c->builder, CASE_TID, case_stream(c), WORK_KERNEL)->flags |=
				RECORD_UNORDERED;
		add_event(c, (MEMORY + 0x10 + 4 * index) & -(uint64_t)FAULT_PAGE_SIZE, 0, 0);
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
		CHECK_EQUAL(c->verdict.n_suspects, i == 2 ? 2 : 3);
		CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 2);
		CHECK(!case_evidence(c, EVIDENCE_FAULT_ADDRESS));
		case_end(c);
	}
}

/* The index that leads to the page is that of work of unknown order. */
static void test_an_address_that_follows_ranks_unordered_work(void)
{
	struct verdict_case *c = case_begin();
	(void)builder_range(&c->builder, MEMORY, 0x8000, 0);
	add_indexed(c, MEMORY + 0x10, 7);
	add_indexed(c, MEMORY + 0x10, FAR_INDEX);
	case_find(c, 2)->flags |= RECORD_UNORDERED;
	add_event(c, (MEMORY + 4 * FAR_INDEX) & -(uint64_t)FAULT_PAGE_SIZE, 0, 0);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 2);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	case_end(c);
}

/* A second one counts even where a side marker holds it back. */
static void test_an_address_that_follows_for_two(void)
{
	struct verdict_case *c = case_begin();
	(void)builder_range(&c->builder, MEMORY, 0x8000, 0);
	add_indexed(c, MEMORY + 0x10, 7);
	add_indexed(c, MEMORY + 0x10, FAR_INDEX);
	add_indexed(c, MEMORY + 0x10, FAR_INDEX);
	/* 2 comes after 1 in its stream. */
	uint32_t stream = case_find(c, 1)->stream;
	builder_stream_row(&c->builder, case_find(c, 2)->stream)->submitted = 0;
	builder_stream_row(&c->builder, stream)->submitted = 2;
	case_find(c, 1)->flags |= RECORD_MARKED_SIDE;
	case_find(c, 2)->stream = stream;
	case_find(c, 2)->ordinal = 2;
	add_event(c, (MEMORY + 4 * FAR_INDEX) & -(uint64_t)FAULT_PAGE_SIZE, 0, 0);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 3);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	CHECK(case_suspects(c, 1));
	case_end(c);
}

int main(void)
{
	test_an_address_that_follows_for_two();
	test_an_address_that_follows_ranks_unordered_work();
	test_a_fault_without_page_ranks_no_copy();
	test_unordered_copies_are_ranked();
	test_pages_need_to_be_confirmed();
	test_an_address_that_follows_is_likely();
	test_an_address_that_follows_ranks();
	test_copies_elsewhere_are_cleared();
	test_incomplete_lists_clear_nothing();
	test_nobody_left();
	test_kernels_are_ranked();
	test_memory_at_the_page();
	test_order_of_rows();
	test_memory_before_the_page();
	test_distance();
	test_no_page();
	test_page_of_the_mmu();
	test_null_pointers();
	return 0;
}
