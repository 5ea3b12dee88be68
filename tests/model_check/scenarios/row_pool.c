/*
 * row_pool.c - a thread writes a released row of a pool again, and another thread copies it.
 */
#include "record/journal/row_pool.h"

#include "model.h"
#include "record/journal/bundle.h"
#include "scenarios/stub_store.h"
#include "view/bundle_view.h"

static struct table table;
static struct bundle_view view;
static uint32_t given[2];
static struct row_pool pool = {
	.file = JOURNAL_GRAPHS, .n_places = 2, .given = given, .lock = PTHREAD_MUTEX_INITIALIZER};

struct table *bundle_table(enum journal_file kind)
{
	MODEL_CHECK(kind == JOURNAL_GRAPHS);
	return &table;
}

static uint32_t add(uint64_t number)
{
	const struct graph_row row = {
		.number = number, .handle = number, .stack = (uint32_t)number};
	return row_pool_add(&pool, &row);
}

static void add_second(void)
{
	MODEL_CHECK(add(2) == 1);
}

static void copy_row(void)
{
	struct graph_row row;
	if (view_graph_copy(&view, 1, &row))
		MODEL_CHECK(row.handle == row.number && row.stack == row.number);
}

void scenario_setup(const char *variant)
{
	const size_t header = sizeof(struct file_header);
	const size_t size = sizeof(struct graph_row);
	(void)variant;
	stub_store_rows(size, 1);
	model_words(stub_store + header, size, 8);
	MODEL_CHECK(!table_open(&table, NULL, JOURNAL_GRAPHS, size, 1));
	row_pool_give(&pool, add(1));
	MODEL_CHECK(bundle_view_add(&view, stub_store, header + size, NULL) == 0);
	model_thread(add_second);
	model_thread(copy_row);
}

void scenario_end(void)
{
	copy_row();
}
