/*
 * table.c - threads append rows to a table, and another one reads them.
 *
 * Variants: "append"; "turn", where rows replace older ones, and the reader is one of another
 * process; "free", where threads release blocks; "open-WHAT", where the table is opened while
 * another thread uses it by one function.
 */
#include "record/journal/table.h"

#include <string.h>

#include "model.h"
#include "record/host/arena.h"
#include "scenarios/stub_store.h"
#include "view/bundle_view.h"

enum { N_ROWS = 2 };
static struct table table;
static struct bundle_view view;
static const char *function; /* that uses the table */
static bool is_freeing;

static struct stack_row numbered(uint32_t id)
{
	return (struct stack_row){.module = id, .offset = id};
}

static void append_one(uint32_t id)
{
	const struct stack_row row = numbered(id);
	MODEL_CHECK(table_append(&table, &row, 1) == id);
}

static void append_first(void)
{
	struct stack_row rows[N_ROWS] = {numbered(1), numbered(2)};
	uint32_t first = 0;
	MODEL_CHECK(table_append_chain(&table, rows, N_ROWS, 0, 0, &first) == N_ROWS);
}

static void append_more(void)
{
	append_one(3);
	append_one(4);
}

static void add_view(void)
{
	MODEL_CHECK(bundle_view_add(&view, stub_store, sizeof(stub_store), NULL) == 0);
}

/* Rows that are never replaced need no check of the count of reuses. */
static void read_published(void)
{
	add_view();
	for (uint32_t i = 0; i < view.tables[JOURNAL_PARAMETERS].n_rows; i++) {
		MODEL_CHECK(stub_store_has(i));
		const struct parameter_row *row = view_parameter(&view, i + 1);
		MODEL_CHECK(row && row->offset == 7);
	}
}

static void append_parameter(void)
{
	const struct parameter_row row = {.offset = 7};
	MODEL_CHECK(table_append(&table, &row, 1) > 0);
}

/* As a reader of a living process does: the count of reuses is read before the view is made. */
static void read_turning(void)
{
	uint32_t offsets[N_ROWS + 3] = {0};
	uint64_t before = view_reuses(stub_store);
	add_view();
	uint32_t newest = (uint32_t)view.tables[JOURNAL_STACKS].newest;
	for (uint32_t id = 1; id <= newest; id++) {
		const struct stack_row *row = view_stack(&view, id);
		offsets[id] = row ? (uint32_t)row->offset : id;
	}
	for (uint32_t id = 1; id <= newest && view_reuses(stub_store) == before; id++)
		MODEL_CHECK(offsets[id] == id);
}

static void open_table(void)
{
	MODEL_CHECK(!table_open(&table, NULL, JOURNAL_STACKS, sizeof(struct stack_row), N_ROWS));
}

void *arena_alloc(size_t size)
{
	static uint32_t memory[64];
	MODEL_CHECK(size <= sizeof(memory));
	return memory;
}

static uint32_t append_block(void)
{
	const struct stack_row row = numbered(1);
	return table_append_block(&table, &row, 1);
}

static void free_first(void)
{
	table_free_block(&table, 1, 1);
}

static void free_second(void)
{
	table_free_block(&table, 2, 1);
}

static void set_up_free(void)
{
	open_table();
	MODEL_CHECK(append_block() == 1);
	MODEL_CHECK(append_block() == 2);
	model_thread(free_first);
	model_thread(free_second);
}

/* Both blocks can be used again, each once. */
static void end_free(void)
{
	uint32_t first = append_block();
	MODEL_CHECK(first == 1 || first == 2);
	MODEL_CHECK(append_block() == 3 - first);
	MODEL_CHECK(append_block() == 0);
}

static void use_table(void)
{
	struct stack_row row = numbered(1);
	uint32_t first = 0;
	if (strcmp(function, "append") == 0)
		MODEL_CHECK(table_append(&table, &row, 1) < 2);
	if (strcmp(function, "chain") == 0)
		MODEL_CHECK(table_append_chain(&table, &row, 1, 0, 0, &first) == first);
	if (strcmp(function, "block") == 0)
		MODEL_CHECK(table_append_block(&table, &row, 1) < 2);
	if (strcmp(function, "holds") == 0)
		(void)table_holds(&table, 1, 1);
	if (strcmp(function, "full") == 0)
		(void)table_is_full(&table);
	if (strcmp(function, "turns") == 0)
		MODEL_CHECK(table_half_turns(&table) == 0);
}

static void set_up_append(void)
{
	stub_store_rows(sizeof(struct parameter_row), 1);
	MODEL_CHECK(!table_open(&table, NULL, JOURNAL_PARAMETERS, sizeof(struct parameter_row), 3));
	model_thread(append_parameter);
	model_thread(append_parameter);
	model_thread(read_published);
}

void scenario_setup(const char *variant)
{
	if (strcmp(variant, "append") == 0) {
		set_up_append();
		return;
	}
	stub_store_rows(sizeof(struct stack_row), N_ROWS);
	is_freeing = strcmp(variant, "free") == 0;
	if (is_freeing) {
		set_up_free();
		return;
	}
	if (strcmp(variant, "turn") == 0) {
		const size_t header = sizeof(struct file_header);
		model_words(stub_store + header, sizeof(stub_store) - header, 8);
		open_table();
		table.is_turning = true;
		append_first();
		model_thread(append_more);
		model_thread(read_turning);
		return;
	}
	function = variant + strlen("open-");
	model_thread(open_table);
	model_thread(use_table);
}

void scenario_end(void)
{
	if (is_freeing)
		end_free();
	else if (!function)
		MODEL_CHECK(table.header->lost == 0);
}
