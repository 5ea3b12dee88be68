/*
 * test_row_sort.c - the sort against what makes a sort: order, and the same rows as before.
 */
#include "view/row_sort.h"

#include <stdlib.h>

#include "support/check.h"

enum { N_ROWS = 500, N_GROUPS = 7 };

struct row {
	uint64_t key;
	uint32_t group;
	uint32_t number; /* before the sort */
};

static const struct row_shape shape = {sizeof(struct row), offsetof(struct row, group),
				       offsetof(struct row, key)};

static void check_sorted(const struct row *rows, uint32_t n, const uint32_t *starts)
{
	bool is_seen[N_ROWS] = {false};
	CHECK_EQUAL(starts[0], 0);
	CHECK_EQUAL(starts[N_GROUPS], n);
	for (uint32_t group = 0; group < N_GROUPS; group++) {
		for (uint32_t i = starts[group]; i < starts[group + 1]; i++) {
			CHECK_EQUAL(rows[i].group, group);
			CHECK(!is_seen[rows[i].number]);
			is_seen[rows[i].number] = true;
			if (i > starts[group])
				CHECK(rows[i - 1].key < rows[i].key ||
				      (rows[i - 1].key == rows[i].key &&
				       rows[i - 1].number < rows[i].number));
		}
	}
}

/* Few keys: many are equal. A run as long as all: in order already. */
static void test_sort(uint32_t n, uint32_t n_keys, uint32_t run_length)
{
	static struct row from[N_ROWS];
	static struct row to[N_ROWS];
	uint64_t key = 0;
	for (uint32_t i = 0; i < n; i++) {
		key = i % run_length == 0 ? (uint64_t)rand() % n_keys : key + 1;
		from[i] = (struct row){key, (uint32_t)rand() % N_GROUPS, i};
	}
	uint32_t starts[N_GROUPS + 1];
	row_sort(&shape, from, n, to, N_GROUPS, starts);
	check_sorted(to, n, starts);
}

int main(void)
{
	srand(1);
	for (uint32_t n = 0; n <= N_ROWS; n += n < 20 ? 1 : 37) {
		test_sort(n, 1000000, 1);
		test_sort(n, 3, 1);
		test_sort(n, 1000, 16);
		test_sort(n, 1, N_ROWS);
	}
	return 0;
}
