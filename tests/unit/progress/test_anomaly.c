/*
 * test_anomaly.c - what makes a launch unlike other launches, and what does not.
 */
#include "progress/anomaly.h"

#include "report/report_page.h"
#include "support/check.h"
#include "support/verdict_case.h"

enum { SIZE = 4096 };
static const uint64_t MEMORY = UINT64_C(0x700000000000);

struct arguments {
	uint64_t pointer;
	uint64_t number;
	uint32_t small;
};

static struct verdict_case *c;
static uint32_t stream, function;
static struct anomaly_table table;

/* Memory that is live, some that was freed, and more after a gap. */
static void begin(void)
{
	static const uint32_t sizes[] = {8, 8, 4};
	c = case_begin();
	stream = case_stream(c);
	function = builder_function(&c->builder, "kernel", 3, sizes);
	(void)builder_range(&c->builder, MEMORY, SIZE, 0);
	uint32_t freed = builder_range(&c->builder, MEMORY + 16 * SIZE, SIZE, 0);
	builder_range_row(&c->builder, freed)->state = RANGE_FREED;
	(void)builder_range(&c->builder, MEMORY + 64 * SIZE, SIZE, 0);
}

static struct journal_record *launch(uint64_t pointer, uint64_t number, uint32_t small)
{
	const struct arguments arguments = {pointer, number, small};
	struct journal_record *record =
		builder_launch(&c->builder, CASE_TID, stream, function, &arguments, 20);
	record->stack = 1;
	return record;
}

/* Look at the newest launch. */
static struct anomaly snapshot(uint64_t sequence)
{
	builder_view(&c->builder, &c->view);
	memset(&table, 0xff, sizeof(table)); /* as memory may be that others have used */
	table.n = 0;
	table.lowest = 0;
	anomaly_add(&table, &c->view, 0, case_find(c, sequence));
	anomaly_compare(&table, &c->view);
	table.cases[1] = table.cases[0]; /* it was not added */
	CHECK_EQUAL(anomaly_of(&table, 1).kind, ANOMALY_NONE);
	return anomaly_of(&table, 0);
}

static void test_numbers(void)
{
	begin();
	for (uint64_t i = 0; i < 5; i++)
		launch(MEMORY + 8 * i, 64, (uint32_t)i);
	launch(MEMORY, UINT64_C(17179869184), 99); /* 6 */
	struct anomaly anomaly = snapshot(6);
	CHECK_EQUAL(anomaly.kind, ANOMALY_NUMBER);
	CHECK_EQUAL(anomaly.index, 1);
	CHECK_EQUAL(anomaly.value, 17179869184);
	CHECK_EQUAL(anomaly.usual, 64);
	CHECK_EQUAL(anomaly.n_before, 5);
	/* From another line, of another kernel, or later: nothing to compare with. */
	case_find(c, 6)->stack = 2;
	CHECK_EQUAL(snapshot(6).kind, ANOMALY_NONE);
	case_find(c, 6)->stack = 1;
	case_find(c, 6)->launch.function = 0;
	CHECK_EQUAL(snapshot(6).kind, ANOMALY_NONE);
	CHECK_EQUAL(snapshot(1).kind, ANOMALY_NONE);
	CHECK_EQUAL(snapshot(5).kind, ANOMALY_NONE); /* the first grew by one each time */
	case_find(c, 5)->launch.grid[1] = 7;
	anomaly = snapshot(5);
	CHECK_EQUAL(anomaly.kind, ANOMALY_NUMBER);
	CHECK_EQUAL(anomaly.index, ANOMALY_GRID + 1);
	CHECK_EQUAL(anomaly.usual, 1);
	case_find(c, 5)->launch.grid[1] = 1;
	case_find(c, 5)->launch.block[2] = 7;
	CHECK_EQUAL(snapshot(5).index, ANOMALY_BLOCK + 2);
	case_find(c, 5)->launch.block[2] = 1;
	case_find(c, 5)->launch.shared_bytes = 7;
	CHECK_EQUAL(snapshot(5).index, ANOMALY_SHARED);
	case_find(c, 1)->result = 1; /* just enough are left */
	CHECK_EQUAL(snapshot(5).n_before, 3);
	case_find(c, 2)->work = WORK_GRAPH; /* too few */
	CHECK_EQUAL(snapshot(5).kind, ANOMALY_NONE);
	CHECK_EQUAL(table.cases[0].n_before, 2);
	case_find(c, 3)->kind = RECORD_CAPTURED; /* it did not run */
	CHECK_EQUAL(snapshot(5).kind, ANOMALY_NONE);
	CHECK_EQUAL(table.cases[0].n_before, 1);
	case_end(c);
}

/* Another kernel that the same line launched had other values. */
static void test_another_kernel(void)
{
	static const uint32_t sizes[] = {8, 8, 4};
	begin();
	for (uint64_t i = 0; i < 5; i++)
		launch(MEMORY, 64, 1);
	function = builder_function(&c->builder, "another", 3, sizes);
	launch(MEMORY, 65, 1);
	struct anomaly anomaly = snapshot(6);
	CHECK_EQUAL(anomaly.kind, ANOMALY_NONE);
	CHECK_EQUAL(table.cases[0].n_before, 0);
	case_end(c);
}

/* The parameters of another kernel are not those of one whose parameters are not known. */
static void test_unknown_parameters(void)
{
	begin();
	uint32_t unknown = builder_function(&c->builder, "unknown", 0, NULL);
	builder_function_row(&c->builder, unknown)->n_parameters = UINT32_MAX;
	builder_function_row(&c->builder, unknown)->first_parameter = 0;
	for (uint64_t i = 0; i < 6; i++)
		launch(MEMORY, i < 5 ? 64 : UINT64_C(17179869184), 1)->launch.function = unknown;
	CHECK_EQUAL(snapshot(6).kind, ANOMALY_NONE);
	case_end(c);
}

/* Rows of parameters that are lost, and kernels that are not known: these are not one kernel. */
static void test_lost_rows(void)
{
	begin();
	for (uint64_t i = 0; i < 6; i++)
		launch(MEMORY, i < 5 ? 64 : UINT64_C(17179869184), 1);
	builder_function_row(&c->builder, function)->first_parameter = 1000;
	CHECK_EQUAL(snapshot(6).kind, ANOMALY_NONE);
	for (uint64_t i = 1; i <= 6; i++)
		case_find(c, i)->launch.function = 0;
	case_find(c, 6)->launch.grid[1] = 7;
	CHECK_EQUAL(snapshot(6).kind, ANOMALY_NONE);
	case_end(c);
}

/* The ring has overwritten the arguments of all earlier launches: their values are not known. */
static void test_lost_arguments(void)
{
	begin();
	for (uint64_t i = 0; i < 6; i++)
		launch(MEMORY, 64, 1);
	for (uint64_t i = 1; i < 6; i++)
		case_find(c, i)->launch.argument_bytes = 0;
	CHECK_EQUAL(snapshot(6).kind, ANOMALY_NONE);
	for (uint64_t i = 0; i < 6; i++)
		launch(MEMORY, 64, 1)->stack = 2;
	case_find(c, 12)->launch.argument_bytes = 0; /* or its own ones */
	CHECK_EQUAL(snapshot(12).kind, ANOMALY_NONE);
	CHECK_EQUAL(table.cases[0].n_before, 5);
	case_end(c);
}

/* The table has room for some launches. Any more of them are not compared. */
static void test_full_table(void)
{
	begin();
	for (uint64_t i = 0; i <= ANOMALY_MAX_CASES; i++)
		launch(MEMORY, i == ANOMALY_MAX_CASES - 1 ? 65 : 64, 1);
	builder_view(&c->builder, &c->view);
	table.n = 0;
	for (uint64_t i = 1; i <= ANOMALY_MAX_CASES + 1; i++)
		anomaly_add(&table, &c->view, 0, case_find(c, i));
	anomaly_compare(&table, &c->view);
	CHECK_EQUAL(table.n, ANOMALY_MAX_CASES);
	CHECK_EQUAL(anomaly_of(&table, ANOMALY_MAX_CASES - 1).value, 65);
	CHECK_EQUAL(anomaly_of(&table, ANOMALY_MAX_CASES).kind, ANOMALY_NONE);
	case_end(c);
}

static void check_pointer(uint64_t pointer, enum anomaly_kind kind)
{
	begin();
	launch(pointer, 1, 1);
	CHECK_EQUAL(snapshot(1).kind, kind);
	CHECK_EQUAL(snapshot(1).index, 0);
	CHECK_EQUAL(snapshot(1).value, kind ? (int64_t)pointer : 0);
	/* A pointer that all earlier launches had as well did no harm. */
	launch(pointer, 1, 1);
	CHECK_EQUAL(snapshot(2).kind, ANOMALY_NONE);
	case_end(c);
}

static void test_pointers(void)
{
	check_pointer(MEMORY, ANOMALY_NONE);
	check_pointer(MEMORY + SIZE - 1, ANOMALY_NONE);
	check_pointer(MEMORY + SIZE, ANOMALY_PAST);
	check_pointer(MEMORY + SIZE + 4095, ANOMALY_PAST);
	check_pointer(MEMORY + SIZE + 4096, ANOMALY_STRAY);
	check_pointer(MEMORY + 3 * SIZE, ANOMALY_STRAY);
	check_pointer(MEMORY + 16 * SIZE + 5, ANOMALY_FREED);
	check_pointer(MEMORY + 17 * SIZE, ANOMALY_STRAY); /* right after freed memory */
	check_pointer(MEMORY - 1, ANOMALY_NONE);          /* a number, for all that is known */
	check_pointer(MEMORY + 65 * SIZE, ANOMALY_PAST);
	check_pointer(MEMORY + 67 * SIZE, ANOMALY_NONE);
	check_pointer(12, ANOMALY_NONE);
	check_pointer(0, ANOMALY_NONE);
}

/* A structure is no number, and the next kernel's parameters are not this one's. */
static void test_structures(void)
{
	begin();
	function = builder_function(&c->builder, "structure", 1, (const uint32_t[]){20});
	(void)builder_function(&c->builder, "next", 2, (const uint32_t[]){8, 8});
	for (uint64_t i = 0; i < 6; i++)
		launch(i < 5 ? 64 : 17, 1, 1);
	CHECK_EQUAL(snapshot(6).kind, ANOMALY_NONE);
	function = builder_function(&c->builder, "small structure", 1, (const uint32_t[]){6});
	launch(MEMORY + 3 * SIZE, 1, 1);
	CHECK_EQUAL(snapshot(7).kind, ANOMALY_NONE);
	case_end(c);
}

/* Only the first ones of many parameters are compared. */
static void test_many_parameters(void)
{
	enum { MANY = 100 };
	uint32_t sizes[MANY];
	uint8_t arguments[MANY];
	begin();
	for (int i = 0; i < MANY; i++)
		sizes[i] = 1;
	memset(arguments, 5, sizeof(arguments));
	function = builder_function(&c->builder, "many", MANY, sizes);
	builder_launch(&c->builder, CASE_TID, stream, function, arguments, sizeof(arguments));
	CHECK_EQUAL(snapshot(1).kind, ANOMALY_NONE);
	CHECK_EQUAL(table.cases[0].n_before, 0);
	case_end(c);
}

/* The launch has fewer bytes of arguments than its kernel has parameters. */
static void test_few_arguments(void)
{
	static const uint64_t argument = 5;
	begin();
	builder_launch(&c->builder, CASE_TID, stream, function, &argument, sizeof(argument));
	CHECK_EQUAL(snapshot(1).kind, ANOMALY_NONE);
	CHECK_EQUAL(table.cases[0].has_value & 7, 1);
	case_end(c);
}

/* Pointers differ from launch to launch: one that an earlier launch had as well may do harm. */
static void test_pointers_that_vary(void)
{
	begin();
	launch(MEMORY + 16 * SIZE, 1, 1);
	launch(MEMORY, 1, 1);
	launch(MEMORY + 16 * SIZE, 1, 1);
	CHECK_EQUAL(snapshot(3).kind, ANOMALY_FREED);
	case_end(c);
}

/* A number among low addresses is a number. The highest addresses are addresses, too. */
static void test_ends_of_addresses(void)
{
	begin();
	(void)builder_range(&c->builder, SIZE, SIZE, 0);
	launch(MEMORY, UINT32_MAX, 1);
	CHECK_EQUAL(snapshot(1).kind, ANOMALY_NONE);
	for (uint64_t i = 2; i <= 5; i++)
		launch(i < 5 ? 16 * SIZE : SIZE + 8, MEMORY, 1)->stack = 2;
	CHECK_EQUAL(snapshot(5).kind, ANOMALY_NUMBER);
	uint32_t freed = builder_range(&c->builder, UINT64_MAX - SIZE, SIZE, 0);
	builder_range_row(&c->builder, freed)->state = RANGE_FREED;
	launch(UINT64_MAX - 8, 1, 1);
	CHECK_EQUAL(snapshot(6).kind, ANOMALY_FREED);
	builder_range_row(&c->builder, freed)->kind = RANGE_ARRAY; /* that is a handle */
	CHECK_EQUAL(snapshot(6).kind, ANOMALY_NONE);
	builder_range_row(&c->builder, freed)->kind = RANGE_UNKNOWN;
	builder_range_row(&c->builder, freed)->size++; /* it ends after the last address */
	CHECK_EQUAL(snapshot(6).kind, ANOMALY_NONE);
	case_end(c);
}

/* Live memory at an address that was freed before. */
static void test_used_again(void)
{
	begin();
	(void)builder_range(&c->builder, MEMORY + 16 * SIZE, SIZE, 0);
	launch(MEMORY + 16 * SIZE, 1, 1);
	CHECK_EQUAL(snapshot(1).kind, ANOMALY_NONE);
	case_end(c);
}

/* Memory that was allocated after the launch is not what its pointer meant. */
static void test_allocated_later(void)
{
	begin();
	launch(MEMORY + 3 * SIZE + 8, 1, 1);
	launch(MEMORY + 4 * SIZE + 8, 1, 1);
	uint32_t later = builder_range(&c->builder, MEMORY + 3 * SIZE, SIZE, 0);
	builder_range_row(&c->builder, later)->time_ns = c->builder.time_ns + 3000000;
	CHECK_EQUAL(snapshot(1).kind, ANOMALY_STRAY);
	CHECK_EQUAL(snapshot(2).kind, ANOMALY_STRAY);
	case_end(c);
}

static bool has_line(const struct page *page, const char *text)
{
	for (uint32_t i = 0; i < page->n_lines; i++) {
		if (page->lines[i].id == PAGE_ANOMALY)
			return strcmp(page->lines[i].text, text) == 0;
	}
	return false;
}

/* An unusual value affects the order and is shown, but makes nothing more certain. */
static void test_verdict(void)
{
	static struct page page;
	begin();
	for (int i = 0; i < 8; i++)
		launch(MEMORY, 64, 1);
	launch(MEMORY, 65, 1); /* 9 */
	launch(MEMORY, 64, 1);
	case_judge(c, 700);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, 10);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 9);
	struct report report = {.view = &c->view, .verdict = &c->verdict};
	report_page(&report, &page);
	CHECK(has_line(&page, "argument 1: 65; 64 in the 8 launches before"));
	/* A redacted report hides the argument's values, but not those of the launch's shape. */
	c->view.is_redacted = true;
	report_page(&report, &page);
	CHECK(has_line(&page, "argument 1: not what it was in the 8 launches before"));
	c->verdict.anomaly.kind = ANOMALY_STRAY;
	report_page(&report, &page);
	CHECK(has_line(&page, "argument 1: points to no memory that is known"));
	c->verdict.anomaly.kind = ANOMALY_NUMBER;
	case_find(c, 9)->launch.block[2] = 3;
	c->verdict.anomaly.index = ANOMALY_BLOCK + 2;
	report_page(&report, &page);
	CHECK(has_line(&page, "block z: 65; 64 in the 8 launches before"));
	c->view.is_redacted = false;
	report_page(&report, &page);
	CHECK(has_line(&page, "block z: 65; 64 in the 8 launches before"));
	c->verdict.anomaly.kind = ANOMALY_FREED;
	c->verdict.anomaly.index = 0;
	report_page(&report, &page);
	CHECK(has_line(&page, "argument 0: 0x41 points into freed memory"));
	c->verdict.anomaly.kind = ANOMALY_NONE;
	report_page(&report, &page);
	CHECK(!has_line(&page, ""));
	case_end(c);
}

int main(void)
{
	test_numbers();
	test_another_kernel();
	test_unknown_parameters();
	test_lost_rows();
	test_lost_arguments();
	test_full_table();
	test_pointers();
	test_pointers_that_vary();
	test_ends_of_addresses();
	test_structures();
	test_many_parameters();
	test_few_arguments();
	test_used_again();
	test_allocated_later();
	test_verdict();
	return 0;
}
