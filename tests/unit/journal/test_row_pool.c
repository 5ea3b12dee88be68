/*
 * test_row_pool.c - which rows are reused, in which order, and what is left in them; and blocks of
 * rows in a table.
 */
#include "record/journal/row_pool.h"

#include "record/journal/bundle.h"
#include "support/check.h"

enum { N_ROWS = 6, N_KEPT = 2 };

static struct table table;

struct table *bundle_table(enum journal_file kind)
{
	CHECK_EQUAL(kind, JOURNAL_GRAPHS);
	return &table;
}

static uint32_t given[N_ROWS];
static struct row_pool pool = {.file = JOURNAL_GRAPHS,
			       .n_kept = N_KEPT,
			       .n_places = N_ROWS,
			       .given = given,
			       .lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP};

/* These replace the C library's functions (--wrap): no lock is released that is not held. */
int __real_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
	CHECK(!attributes);
	*mutex = (pthread_mutex_t)PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
	return 0;
}

int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	CHECK_EQUAL(__real_pthread_mutex_lock(mutex), 0);
	return 0;
}

int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	CHECK_EQUAL(__real_pthread_mutex_unlock(mutex), 0);
	return 0;
}

static struct graph_row row_of(uint64_t number)
{
	struct graph_row row;
	memset(&row, (int)number, sizeof(row));
	row.number = number;
	return row;
}

static uint32_t add(uint64_t number)
{
	struct graph_row row = row_of(number);
	return row_pool_add(&pool, &row);
}

static void check_row(uint32_t id, uint64_t number)
{
	struct graph_row row = row_of(number);
	CHECK(memcmp(table_row(&table, id), &row, sizeof(row)) == 0);
}

/* New rows first; released ones after N_KEPT others were, and all of them in a full table. */
static void test_pool(void)
{
	CHECK_EQUAL(add(11), 1);
	CHECK_EQUAL(add(12), 2);
	CHECK_EQUAL(add(13), 3);
	row_pool_give(&pool, 0);
	row_pool_give(&pool, 2);
	row_pool_give(&pool, 1);
	CHECK_EQUAL(add(14), 4);
	row_pool_give(&pool, 3);
	CHECK_EQUAL(add(15), 2);
	CHECK_EQUAL(add(16), 5);
	CHECK_EQUAL(add(17), 6);
	CHECK_EQUAL(add(18), 1);
	CHECK_EQUAL(add(19), 3);
	CHECK_EQUAL(add(20), 0);
	CHECK_EQUAL(table.header->lost, 3);
	static const uint64_t numbers[] = {18, 15, 19, 14, 16, 17};
	for (uint32_t id = 1; id <= N_ROWS; id++)
		check_row(id, numbers[id - 1]);
	for (int round = 0; round < 3; round++) {
		for (uint32_t id = 1; id <= N_ROWS; id++)
			row_pool_give(&pool, id);
		for (uint32_t id = 1; id <= N_ROWS; id++) {
			CHECK_EQUAL(add(20 + id), id);
			check_row(id, 20 + id);
		}
		CHECK_EQUAL(add(20), 0);
	}
}

static void test_closed(void)
{
	static struct table closed;
	uint64_t row = 1;
	CHECK_EQUAL(table_append(&closed, &row, 1), 0);
	CHECK_EQUAL(table_append_block(&closed, &row, 1), 0);
	CHECK(!table_holds(&closed, 1, 1));
	CHECK(table_is_full(&closed));
	CHECK_EQUAL(table_half_turns(&closed), 0);
	table_free_block(&closed, 1, 1);
	CHECK(!table_row(&closed, 0));
}

/* Sizes are rounded up by a quarter at most; a larger number never gets a smaller block. */
static void test_block_sizes(void)
{
	uint32_t before = 0;
	for (uint32_t n = 0; n <= 4096; n++) {
		uint32_t size = table_block_rows(n);
		CHECK(n <= 32 ? size == n : size >= n && size - n < n / 4);
		CHECK(size >= before);
		CHECK_EQUAL(table_block_rows(size), size);
		before = size;
	}
	CHECK_EQUAL(table_block_rows(33), 40);
	CHECK_EQUAL(table_block_rows(40), 40);
	CHECK_EQUAL(table_block_rows(41), 48);
	CHECK_EQUAL(table_block_rows(64), 64);
	CHECK_EQUAL(table_block_rows(65), 80);
}

/* A block is used again for those of its size, and has nothing of what was there. */
static void test_blocks(void)
{
	enum { N = 512 };
	static struct table blocks;
	static const uint64_t rows[N] = {7, 8, 9};
	CHECK_EQUAL(table_open(&blocks, NULL, JOURNAL_PARAMETERS, sizeof(rows[0]), N), 0);
	CHECK_EQUAL(table_half_turns(&blocks), 0);
	CHECK_EQUAL(table_append_block(&blocks, rows, 0), 0);
	CHECK_EQUAL(table_append_block(&blocks, rows, 3), 1);
	CHECK_EQUAL(table_append_block(&blocks, rows, 33), 4);
	CHECK_EQUAL(table_append_block(&blocks, rows, 3), 44);
	CHECK_EQUAL(blocks.header->n_rows, 46);
	CHECK_EQUAL(blocks.header->n_reused, 0);
	memset(table_row(&blocks, 4), 0xff, 40 * sizeof(rows[0]));
	table_free_block(&blocks, 4, 33);
	CHECK_EQUAL(table_append_block(&blocks, rows, 3), 47);
	CHECK_EQUAL(table_append_block(&blocks, rows, 40), 4);
	CHECK(memcmp(table_row(&blocks, 4), rows, 40 * sizeof(rows[0])) == 0);
	memset(table_row(&blocks, 4), 0xff, 40 * sizeof(rows[0]));
	table_free_block(&blocks, 4, 40);
	CHECK_EQUAL(table_append_block(&blocks, rows, 34), 4);
	CHECK(memcmp(table_row(&blocks, 4), rows, 40 * sizeof(rows[0])) == 0);
	table_free_block(&blocks, 4, 40);
	CHECK_EQUAL(table_append_block(&blocks, NULL, 40), 4);
	for (uint32_t id = 4; id < 44; id++)
		CHECK_EQUAL(*(uint64_t *)table_row(&blocks, id), 0);
	CHECK_EQUAL(blocks.header->n_reused, 3);
	CHECK_EQUAL(blocks.header->lost, 0);
	CHECK_EQUAL(table_append_block(&blocks, rows, N), 0);
	CHECK_EQUAL(blocks.header->lost, 1);
	/* The last one released is the first to be used again. */
	table_free_block(&blocks, 1, 3);
	table_free_block(&blocks, 44, 3);
	CHECK_EQUAL(table_append_block(&blocks, rows, 3), 44);
	CHECK_EQUAL(table_append_block(&blocks, rows, 3), 1);
	CHECK_EQUAL(table_append_block(&blocks, rows, 3), 50);
}

/* Ids of a damaged row are outside of the table. */
static void test_holds(void)
{
	static struct table held;
	size_t page = 4096;
	size_t row_size = page - sizeof(struct file_header);
	static unsigned char rows[2 * 4096];
	CHECK_EQUAL(table_open(&held, NULL, JOURNAL_PARAMETERS, row_size, 1), 0);
	CHECK_EQUAL(held.store.capacity, page);
	CHECK(table_holds(&held, 1, 1));
	CHECK(!table_holds(&held, 0, 1));
	CHECK(!table_holds(&held, 1, 2));
	CHECK(!table_holds(&held, 2, 1));
	CHECK(table_holds(&held, 2, 0));
	CHECK(!table_is_full(&held));
	CHECK_EQUAL(table_append(&held, rows, 1), 1);
	CHECK(table_is_full(&held));
	CHECK_EQUAL(table_append(&held, rows, 1), 0);
	CHECK_EQUAL(table_half_turns(&held), 0);
	table_free_block(&held, 2, 1); /* It is ignored. */
	table_free_block(&held, 1, 1);
	CHECK_EQUAL(table_append_block(&held, rows, 1), 1);
	CHECK_EQUAL(table_append_block(&held, rows, 1), 0);
}

/* At the failure the rows are kept as they are, and no lost row is counted. */
static void test_frozen(void)
{
	enum { N = 128 };
	static struct table frozen;
	static const uint64_t rows[N] = {7};
	frozen.is_turning = true;
	CHECK_EQUAL(table_open(&frozen, NULL, JOURNAL_PARAMETERS, sizeof(rows[0]), N), 0);
	CHECK_EQUAL(frozen.header->magic, JOURNAL_MAGIC);
	CHECK_EQUAL(frozen.header->kind, JOURNAL_PARAMETERS);
	CHECK_EQUAL(frozen.header->header_size, sizeof(*frozen.header));
	CHECK_EQUAL(frozen.header->row_size, sizeof(rows[0]));
	CHECK_EQUAL(frozen.header->capacity, N);
	CHECK_EQUAL(table_append_block(&frozen, rows, 32), 1);
	table_free_block(&frozen, 1, 32);
	CHECK_EQUAL(table_append_block(&frozen, rows, 33), 33);
	CHECK_EQUAL(table_append(&frozen, rows, N - 72), 73);
	CHECK_EQUAL(table_append(&frozen, rows, 2), 0); /* would be cut by the table's end */
	CHECK_EQUAL(frozen.header->lost, 2);
	CHECK_EQUAL(frozen.header->incompatible_flags, 0);
	CHECK_EQUAL(table_append(&frozen, rows, 1), N + 1);
	CHECK_EQUAL(frozen.header->incompatible_flags, JOURNAL_REUSED);
	CHECK_EQUAL(frozen.header->n_reused, 1);
	CHECK(!tables_are_frozen());
	tables_freeze();
	CHECK(tables_are_frozen());
	CHECK_EQUAL(table_append_block(&frozen, rows, 32), 0);
	CHECK_EQUAL(table_append(&frozen, rows, 1), 0);
	table_count_lost(&frozen);
	CHECK_EQUAL(frozen.header->lost, 2);
	CHECK_EQUAL(frozen.header->n_reused, 1);
}

static void test_half_turns(void)
{
	static struct table turning;
	uint64_t row = 1;
	turning.is_turning = true;
	CHECK_EQUAL(table_open(&turning, NULL, JOURNAL_STACKS, sizeof(row), 2), 0);
	for (uint32_t n = 1; n < 9; n++) {
		CHECK_EQUAL(table_append(&turning, &row, 1), n);
		CHECK_EQUAL(table_half_turns(&turning), n);
	}
}

int main(void)
{
	CHECK_EQUAL(table_open(&table, NULL, JOURNAL_GRAPHS, sizeof(struct graph_row), N_ROWS), 0);
	test_pool();
	test_closed();
	test_block_sizes();
	test_blocks();
	test_holds();
	test_half_turns();
	test_frozen();
	return 0;
}
