/*
 * test_print_places.c - the allocation that a pointer was in at a launch, also if the allocation is
 * freed or its row is reused after it was remembered.
 */
#include "print/print_case.h"
#include "support/check.h"

enum { START = 0x1000, SIZE = 256 };

static uint64_t batch;

/* Return the number of the allocation that the value was in at the launch; 0 for none. */
static uint64_t find(uint64_t value, uint64_t sequence)
{
	const struct print_moment at = {print_case.process, sequence, batch};
	struct range_row found;
	builder_view(&print_case.builder, &print_case.process->view);
	return print_location_find(&at, value, &found) ? found.number : 0;
}

static struct range_row *add(uint64_t start, uint64_t number)
{
	uint32_t id = builder_range(&print_case.builder, start, SIZE, 0);
	struct range_row *row = builder_range_row(&print_case.builder, id);
	row->number = number;
	return row;
}

static struct range_row *row_of(uint32_t id)
{
	return builder_range_row(&print_case.builder, id);
}

static void begin(void)
{
	print_case_begin();
	batch = 1;
}

static void test_bounds(void)
{
	begin();
	add(START, 5);
	CHECK_EQUAL(find(START, 1), 5);
	CHECK_EQUAL(find(START + SIZE - 1, 1), 5);
	CHECK_EQUAL(find(START - 1, 1), 0);
	CHECK_EQUAL(find(START + SIZE, 1), 0);
	print_case_end();
}

/* A value without an allocation is not searched for again in its batch. */
static void test_batches(void)
{
	begin();
	CHECK_EQUAL(find(START + 3, 1), 0);
	add(START, 5);
	CHECK_EQUAL(find(START + 3, 1), 0);
	CHECK_EQUAL(find(START + 4, 1), 5);
	batch++;
	CHECK_EQUAL(find(START + 3, 1), 5);
	print_case_end();
}

/* An allocation that was freed before the launch did not have the pointer. */
static void test_freed(void)
{
	begin();
	struct range_row *row = add(START, 5);
	row->state = RANGE_FREED;
	row->freed_after = 7;
	CHECK_EQUAL(find(START, 7), 5);
	CHECK_EQUAL(find(START, 8), 0);
	batch++;
	/* The younger one has the same address. A launch before the end of the older one got that.
	 */
	add(START, 9);
	CHECK_EQUAL(find(START, 8), 9);
	CHECK_EQUAL(find(START + 1, 7), 5);
	CHECK_EQUAL(find(START + 1, 8), 9);
	print_case_end();
}

/* The younger one counts if two were freed later, wherever its row is. */
static void test_two_freed(void)
{
	for (uint64_t i = 0; i < 2; i++) {
		begin();
		for (uint64_t number = 5; number <= 6; number++) {
			struct range_row *row = add(START, i ? number : 11 - number);
			row->state = RANGE_FREED;
			row->freed_after = 7;
		}
		CHECK_EQUAL(find(START, 7), 6);
		print_case_end();
	}
}

/* The remembered row is another allocation's by now, in the same batch and in a later one. */
static void test_reused_row(void)
{
	begin();
	add(START, 5);
	uint32_t id = builder_range(&print_case.builder, START, SIZE, 0);
	row_of(id)->number = 6;
	row_of(id)->state = RANGE_FREED;
	row_of(id)->freed_after = 3;
	CHECK_EQUAL(find(START, 3), 6);
	row_of(id)->number = 7;
	row_of(id)->state = RANGE_LIVE;
	row_of(id)->start = 0x9000;
	CHECK_EQUAL(find(START, 3), 5);
	CHECK_EQUAL(find(0x9000, 3), 7);
	row_of(id)->number = 8;
	CHECK_EQUAL(find(0x9000, 3), 8);
	print_case_end();
}

int main(void)
{
	test_bounds();
	test_batches();
	test_freed();
	test_two_freed();
	test_reused_row();
	return 0;
}
