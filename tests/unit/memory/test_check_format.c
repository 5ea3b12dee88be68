/*
 * test_check_format.c - which chunks of a long range a check reads: the start in full, then one
 * line of each group, none twice unless the range ends within a group.
 */
#include "base/check_format.h"

#include "support/check.h"

enum {
	LONGEST = 4 * CHECK_WHOLE_PART,
	WHOLE = LONGEST / CHECK_WHOLE_PART,
	PERIOD = CHECK_LINE_CHUNKS * CHECK_SAMPLE_LINES,
};

static void test_short(void)
{
	for (uint32_t n = 0; n <= LONGEST; n++) {
		CHECK_EQUAL(check_n_whole(n, LONGEST), n);
		CHECK_EQUAL(check_n_read(n, LONGEST), n);
	}
}

static void test_groups(void)
{
	for (uint32_t groups = 1; groups < 40; groups++) {
		uint32_t n = WHOLE + groups * PERIOD;
		uint32_t n_read = check_n_read(n, LONGEST);
		CHECK_EQUAL(check_n_whole(n, LONGEST), WHOLE);
		CHECK_EQUAL(n_read, WHOLE + groups * CHECK_LINE_CHUNKS);
		CHECK_EQUAL(check_n_read(n - 1, LONGEST), n_read);
		CHECK_EQUAL(check_n_read(n + PERIOD / 2, LONGEST), n_read + CHECK_LINE_CHUNKS);
		for (uint32_t at = 0; at < n_read; at++) {
			uint32_t chunk = check_chunk(at, n, WHOLE);
			CHECK(chunk < n && (at == 0 || chunk > check_chunk(at - 1, n, WHOLE)));
			uint32_t group = at < WHOLE ? 0 : (at - WHOLE) / CHECK_LINE_CHUNKS;
			CHECK_EQUAL(chunk < WHOLE ? 0 : (chunk - WHOLE) / PERIOD, group);
		}
	}
}

/* A sample is not longer than the range. */
static void test_rest(void)
{
	const uint32_t longest = 1000 * CHECK_WHOLE_PART;
	CHECK_EQUAL(check_n_read(longest + 1, longest), 1000 + 55 * CHECK_LINE_CHUNKS);
	CHECK_EQUAL(check_n_read(2, 1), 2);
	CHECK_EQUAL(check_n_read(CHECK_LINE_CHUNKS + 1, 1), CHECK_LINE_CHUNKS);
}

int main(void)
{
	test_short();
	test_groups();
	test_rest();
	return 0;
}
