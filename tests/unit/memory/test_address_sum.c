/*
 * test_address_sum.c - which pointer and which number give an address.
 */
#include "fault/address_sum.h"

#include <string.h>

#include "support/check.h"
#include "support/verdict_case.h"

#define MEMORY  UINT64_C(0x7f0000000000)
#define SIZE    UINT64_C(0x10000)
#define POINTER (MEMORY + 0x1000)

static struct verdict_case *c;
static struct address_sum sum;

/* A process with memory and a kernel, whose parameters have these sizes. */
static const struct function_row *begin(uint32_t n_parameters, const uint32_t *sizes)
{
	c = case_begin();
	(void)builder_range(&c->builder, MEMORY, SIZE, 0);
	uint32_t function = builder_function(&c->builder, "put", n_parameters, sizes);
	(void)case_launch(c, case_stream(c), 1);
	case_judge(c, 700);
	return view_function(&c->view, function);
}

static bool find_page(const struct function_row *function, uint64_t address, const void *bytes,
		      size_t size)
{
	const struct fault_row row = {.flags = FAULT_ADDRESS_PAGE,
				      .address = address & -(uint64_t)FAULT_PAGE_SIZE};
	return address_sum_find(&c->view, &row, function, bytes, size, &sum);
}

static bool find_byte(const struct function_row *function, uint64_t address, const void *bytes,
		      size_t size)
{
	const struct fault_row row = {.flags = FAULT_ADDRESS_BYTE, .address = address};
	return address_sum_find(&c->view, &row, function, bytes, size, &sum);
}

static void test_scales(void)
{
	const uint64_t words[] = {77, POINTER, 0x123456789};
	const struct function_row *function = begin(3, (const uint32_t[]){8, 8, 8});
	for (uint32_t scale = 1; scale <= 32; scale *= 2) {
		uint64_t address = POINTER + scale * words[2];
		bool is_found = find_page(function, address, words, sizeof(words));
		CHECK_EQUAL(is_found, scale <= 16);
		if (!is_found)
			continue;
		CHECK_EQUAL(sum.pointer_at, 8);
		CHECK_EQUAL(sum.factor_at, 16);
		CHECK_EQUAL(sum.scale, scale);
		CHECK_EQUAL(sum.product, (int64_t)(scale * words[2]));
		CHECK(sum.is_known && sum.is_far);
	}
	case_end(c);
}

/* Numbers of four bytes, with and without a sign. */
static void test_halves(void)
{
	const struct {
		uint64_t pointer;
		uint32_t other, index;
	} arguments = {POINTER, 1, (uint32_t)-3000000};
	const struct function_row *function = begin(3, (const uint32_t[]){8, 4, 4});
	CHECK(find_page(function, POINTER - 4 * 3000000, &arguments, sizeof(arguments)));
	CHECK_EQUAL(sum.factor, -3000000);
	CHECK_EQUAL(sum.factor_at, 12);
	CHECK(sum.is_far);
	CHECK(find_page(function, POINTER + 8 * (uint64_t)arguments.index, &arguments,
			sizeof(arguments)));
	CHECK_EQUAL(sum.factor, (int64_t)arguments.index);
	CHECK_EQUAL(sum.scale, 8);
	case_end(c);
}

/* Half of a pointer is no number, also where a structure, or no parameter, is known. */
static void test_halves_of_pointers(void)
{
	const uint64_t words[] = {POINTER, MEMORY + 0x20000};
	const struct function_row *function = begin(2, (const uint32_t[]){8, 8});
	CHECK(!find_page(function, POINTER + 0x20000, words, sizeof(words)));
	CHECK(!find_page(NULL, POINTER + 0x20000, words, sizeof(words)));
	case_end(c);
	function = begin(1, (const uint32_t[]){16});
	CHECK(!find_page(function, POINTER + 0x20000, words, sizeof(words)));
	CHECK(find_page(function, 2 * POINTER + 0x1f000, words, sizeof(words)));
	case_end(c);
}

static void test_structures(void)
{
	const struct {
		uint32_t first;
		struct {
			uint64_t pointer;
			uint32_t index, end;
		} view;
	} arguments = {5, {POINTER, 70000, 3}};
	const struct function_row *function = begin(2, (const uint32_t[]){4, 16});
	CHECK(find_page(function, POINTER + 4 * 70000, &arguments, sizeof(arguments)));
	CHECK_EQUAL(sum.pointer_at, 8);
	CHECK_EQUAL(sum.factor_at, 16);
	CHECK_EQUAL(sum.factor, 70000);
	CHECK(!sum.is_far); /* less than 1 MiB past the memory */
	CHECK(find_page(NULL, POINTER + 4 * 70000, &arguments, sizeof(arguments)));
	case_end(c);
}

/* A page is no news from a pointer into it. A byte is. */
static void test_small_products(void)
{
	const uint64_t words[] = {POINTER, 3};
	const struct function_row *function = begin(2, (const uint32_t[]){8, 8});
	CHECK(!find_page(function, POINTER, words, sizeof(words)));
	CHECK(find_byte(function, POINTER + 6, words, sizeof(words)));
	CHECK_EQUAL(sum.scale, 2);
	CHECK(!find_byte(function, POINTER + 5, words, sizeof(words)));
	CHECK(!find_byte(function, POINTER, words, sizeof(words)));
	case_end(c);
}

/* A pointer into memory counts more than one elsewhere, and then the larger product. */
static void test_preference(void)
{
	const uint64_t words[] = {POINTER + 0x40000000 - 0x7000000, 0x7000000, POINTER, 0x10000000};
	const struct function_row *function = begin(4, (const uint32_t[]){8, 8, 8, 8});
	CHECK(find_page(function, POINTER + 0x40000000, words, sizeof(words)));
	CHECK_EQUAL(sum.pointer, POINTER);
	CHECK_EQUAL(sum.scale, 4);
	const uint64_t both[] = {POINTER + 0x8000, 0x3ff8000, POINTER, 0x4000000};
	CHECK(find_page(function, POINTER + 0x4000000, both, sizeof(both)));
	CHECK_EQUAL(sum.product, 0x4000000);
	case_end(c);
}

/* How far the address has to be from the memory, before and after it. */
static void test_far(void)
{
	enum { MIB = 1 << 20 };
	const struct function_row *function = begin(2, (const uint32_t[]){8, 8});
	for (int64_t over = -FAULT_PAGE_SIZE; over <= 0; over += FAULT_PAGE_SIZE) {
		uint64_t words[] = {POINTER, SIZE - 0x1000 + (uint64_t)(MIB + over)};
		CHECK(find_page(function, POINTER + words[1], words, sizeof(words)));
		CHECK_EQUAL(sum.is_far, over == 0);
		words[1] = (uint64_t)(-MIB - 0x1000 - over - FAULT_PAGE_SIZE);
		CHECK(find_page(function, POINTER + words[1], words, sizeof(words)));
		CHECK_EQUAL(sum.is_far, over == 0);
	}
	case_end(c);
}

/* Small numbers are no pointers. A fault without an address, and a cut buffer, have no sum. */
static void test_nothing(void)
{
	const uint64_t small[] = {0xff00, 0xf000};
	const uint64_t good[] = {POINTER, 0x100000};
	const struct fault_row row = {.address = POINTER + 0x100000};
	const struct function_row *function = begin(2, (const uint32_t[]){8, 8});
	CHECK(!find_page(function, 0x1ef00, small, sizeof(small)));
	CHECK(!address_sum_find(&c->view, &row, function, (const unsigned char *)good, sizeof(good),
				&sum));
	CHECK(!find_page(function, row.address, good, sizeof(good) - 1));
	CHECK(find_page(function, row.address, good, sizeof(good)));
	case_end(c);
}

int main(void)
{
	test_scales();
	test_halves();
	test_halves_of_pointers();
	test_structures();
	test_small_products();
	test_preference();
	test_far();
	test_nothing();
	return 0;
}
