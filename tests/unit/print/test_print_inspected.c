/*
 * test_print_inspected.c - what is printed of the memory of inspected launches, as whole texts.
 */
#include "print/print_case.h"
#include "support/check.h"

static const struct value_summary clean = {.n = 8, .min = -1, .max = 2.5, .mean = 0.5};
static const struct value_summary odd = {
	.n = 8, .n_nan = 1, .n_infinite = 2, .first_odd = 3, .min = 1, .max = 2, .mean = 1};
static const struct value_summary all_odd = {.n = 8, .n_infinite = 8};

/* Two pointers of a launch, of which the first one got NaN. The others are made from them. */
static struct inspected rows[2];
static struct inspected next[2];

static void begin(void)
{
	print_case_begin();
	print_case.choice.inspects = true;
	print_case_launch(print_case.spin);
	print_case_launch(print_case.fill);
	print_case_launch(print_case.spin);
	print_case_print();
	const struct inspected first[2] = {
		{.address = 0x700000000008,
		 .number = 1,
		 .start = 0x700000000000,
		 .allocation_size = 40,
		 .size = 32,
		 .type = VALUE_F32,
		 .is_guess = true,
		 .has_after = true,
		 .is_changed = true,
		 .n_changed = 3,
		 .before = clean,
		 .after = odd},
		{.address = 0x700000000100,
		 .number = 2,
		 .start = 0x700000000100,
		 .parameter = 1,
		 .offset = 8,
		 .allocation_size = 32,
		 .size = 32,
		 .type = VALUE_I32,
		 .before = clean},
	};
	memcpy(rows, first, sizeof(rows));
	memcpy(next, first, sizeof(next));
	next[0].before = odd;
	next[0].is_changed = false;
	next[1].has_after = true;
	next[1].is_changed = true;
	next[1].after = all_odd;
}

/* Print what one launch's pointers held. */
static const char *inspect(uint64_t sequence, const struct inspected *inspected, uint32_t n)
{
	print_case_clear();
	print_inspected(print_case.process, sequence, inspected, n, &print_case.text);
	return print_case_text();
}

/* Bytes, and another address of the allocation, that the first launch got. */
static void test_previous(void)
{
	begin();
	struct inspected same = rows[0];
	same.is_changed = false;
	same.before = clean;
	CHECK_STRING(inspect(3, &same, 1), "  argument 0: 0x700000000008=#1+8, 8 x f32?\n"
					   "    before  min -1, max 2.5, mean 0.5; unchanged\n"
					   "    previously passed to #1 spin at train+0x22\n");
	same.address += 8;
	same.size = 24;
	CHECK_STRING(inspect(3, &same, 1),
		     "  argument 0: 0x700000000010=#1+16, 6 x f32?\n"
		     "    before  min -1, max 2.5, mean 0.5; unchanged\n"
		     "    allocation previously passed to #1 spin at train+0x22\n");
	same.size--;
	same.has_after = false;
	CHECK_STRING(inspect(3, &same, 1),
		     "  argument 0: 0x700000000010=#1+16, first 5 x f32?\n"
		     "    before  min -1, max 2.5, mean 0.5; not read afterwards\n"
		     "    allocation previously passed to #1 spin at train+0x22\n");
	print_case_end();
}

/* The first launch makes them, and the next one reads them. */
static void test_made(void)
{
	begin();
	CHECK_STRING(inspect(1, rows, 2),
		     "  argument 0: 0x700000000008=#1+8, 8 x f32?\n"
		     "    before  min -1, max 2.5, mean 0.5\n"
		     "    after   min 1, max 2, mean 1, 1 NaN, 2 infinite, the first at [3]; 3 "
		     "changed\n"
		     "  argument 1 + 8: 0x700000000100=#2+0, 8 x i32\n"
		     "    before  min -1, max 2, mean 0.5; not read afterwards\n"
		     "  => argument 0: 1 NaN, 2 infinite, made here: none of the inspected "
		     "arguments had any before\n");
	/* The next launch reads what the first one spoiled, and passes it on. */
	CHECK_STRING(inspect(3, next, 2),
		     "  argument 0: 0x700000000008=#1+8, 8 x f32?\n"
		     "    before  min 1, max 2, mean 1, 1 NaN, 2 infinite, the first at [3]; "
		     "unchanged\n"
		     "    from    #1 spin at train+0x22\n"
		     "  argument 1 + 8: 0x700000000100=#2+0, 8 x i32\n"
		     "    before  min -1, max 2, mean 0.5\n"
		     "    after   no finite value, 8 infinite, the first at [0]; changed\n"
		     "  => argument 1 + 8: 8 infinite, passed on from argument 0\n");
	/* It writes the one that had some before, and another one. */
	next[0].is_changed = true;
	next[0].n_changed = 0;
	next[0].after = clean;
	CHECK_STRING(inspect(4, next, 2),
		     "  argument 0: 0x700000000008=#1+8, 8 x f32?\n"
		     "    before  min 1, max 2, mean 1, 1 NaN, 2 infinite, the first at [3]\n"
		     "    after   min -1, max 2.5, mean 0.5; changed\n"
		     "    from    #1 spin at train+0x22\n"
		     "  argument 1 + 8: 0x700000000100=#2+0, 8 x i32\n"
		     "    before  min -1, max 2, mean 0.5\n"
		     "    after   no finite value, 8 infinite, the first at [0]; changed\n"
		     "  => argument 1 + 8: 8 infinite, but argument 0, which was also written, "
		     "had some before\n");
	/* The values were overwritten, and only the launches that got the address are known. */
	struct inspected same = rows[0];
	same.is_changed = false;
	same.before = odd;
	CHECK_STRING(inspect(3, &same, 1),
		     "  argument 0: 0x700000000008=#1+8, 8 x f32?\n"
		     "    before  min 1, max 2, mean 1, 1 NaN, 2 infinite, the first at [3]; "
		     "unchanged\n"
		     "    previously passed to #1 spin at train+0x22\n");
	print_case_end();
}

/* The values went from the first launch to the second, which passed them on. */
static void test_passed_on(void)
{
	begin();
	inspect(1, rows, 2);
	inspect(3, next, 2);
	struct inspected same = next[1];
	same.before = all_odd;
	same.is_changed = false;
	CHECK_STRING(inspect(5, &same, 1),
		     "  argument 1 + 8: 0x700000000100=#2+0, 8 x i32\n"
		     "    before  no finite value, 8 infinite, the first at [0]; unchanged\n"
		     "    from    #3 spin at train+0x22\n"
		     "    made by #1 spin at train+0x22\n");
	print_case_end();
}

/* Odd values that no launch is known to have written. */
static void test_unknown(void)
{
	begin();
	rows[1].before = odd;
	rows[1].has_after = true;
	rows[1].address = 0x700000009000;
	rows[1].start = 0x700000008000;
	rows[1].number = 9;
	rows[1].allocation_size = 8192;
	CHECK_STRING(inspect(5, &rows[1], 1),
		     "  argument 1 + 8: 0x700000009000=#9+4096, first 8 x i32\n"
		     "    before  min 1, max 2, mean 1, 1 NaN, 2 infinite, the first at [3]; "
		     "unchanged\n"
		     "    not passed to any earlier launch on record\n");
	print_case_end();
}

int main(void)
{
	test_previous();
	test_made();
	test_passed_on();
	test_unknown();
	return 0;
}
