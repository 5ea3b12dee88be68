/*
 * row_uses.c - a thread rewrites a row for another object, and another thread reads it.
 *
 * Variants: "rewrite", where the reader compares the row's use before and after it reads, as if the
 * process had stopped; "count", where it compares the count of reuses; "keep", where it stops all
 * reuse first, as the failure does; "keep-open", where a table is opened at that time.
 */
#include "record/journal/row_uses.h"

#include <string.h>

#include "model.h"
#include "record/journal/bundle.h"
#include "scenarios/stub_store.h"
#include "view/bundle_view.h"
#include "view/bundle_words.h"

static struct table tables[N_JOURNAL_FILES];
static struct bundle_view view;
static uint64_t reuses; /* when the view was made */
static uint16_t given[2];
static uint32_t n_finished;

struct table *bundle_table(enum journal_file kind)
{
	return &tables[kind];
}

/* Objects that the old row refers to may change from now on. */
static void end_row(uint32_t place, const void *row)
{
	MODEL_CHECK(place == 1 && row == table_row(&tables[JOURNAL_FUNCTIONS], 1));
	n_finished++;
}

static struct row_uses uses = {.file = JOURNAL_FUNCTIONS,
			       .use_offset = offsetof(struct function_row, use),
			       .end = end_row,
			       .given = given};

static uint32_t add(uint64_t object)
{
	const struct function_row row = {.handle = object, .first_parameter = (uint32_t)object};
	return row_uses_add(&uses, &row);
}

static void add_second(void)
{
	uint32_t id = add(2);
	MODEL_CHECK(id == row_id_of(1, 1) || (id == 0 && tables_are_frozen()));
}

static void open_other(void)
{
	const size_t size = sizeof(struct parameter_row);
	MODEL_CHECK(!table_open(&tables[JOURNAL_PARAMETERS], NULL, JOURNAL_PARAMETERS, size, 1));
}

/* Return the id of the object's row. */
static uint32_t id_of(uint64_t object)
{
	return row_id_of(1, (uint32_t)object - 1);
}

static void check_row(const struct function_row *row, uint64_t object)
{
	MODEL_CHECK(row->handle == object && row->first_parameter == object);
}

static void read_by_use(void)
{
	for (uint64_t object = 1; object <= 2; object++) {
		struct function_row copy;
		const struct function_row *row = view_function(&view, id_of(object));
		if (!row)
			continue;
		view_copy_words((uint64_t *)(void *)&copy, (const uint64_t *)(const void *)row,
				sizeof(copy) / sizeof(uint64_t));
		if (view_function(&view, id_of(object)))
			check_row(&copy, object);
	}
}

static void read_by_count(void)
{
	for (uint64_t object = 1; object <= 2; object++) {
		const struct function_row *row = view_function(&view, id_of(object));
		uint64_t handle = row ? row->handle : object;
		uint32_t parameter = row ? row->first_parameter : (uint32_t)object;
		if (view_reuses(stub_store) == reuses)
			MODEL_CHECK(handle == object && parameter == object);
	}
}

/* After row_uses_freeze(), plain loads must not race. */
static void keep_and_read(void)
{
	row_uses_freeze();
	const struct function_row *first = view_function(&view, id_of(1));
	const struct function_row *second = view_function(&view, id_of(2));
	MODEL_CHECK(!first != !second && !second == !n_finished);
	check_row(first ? first : second, first ? 1 : 2);
}

void scenario_setup(const char *variant)
{
	const size_t header = sizeof(struct file_header);
	const size_t size = sizeof(struct function_row);
	bool is_keeping = strncmp(variant, "keep", 4) == 0;
	stub_store_rows(size, 1);
	if (!is_keeping)
		model_words(stub_store + header, size, 8);
	if (strcmp(variant, "keep-open") == 0) {
		model_thread(open_other);
		model_thread(row_uses_freeze);
		return;
	}
	MODEL_CHECK(!table_open(&tables[JOURNAL_FUNCTIONS], NULL, JOURNAL_FUNCTIONS, size, 1));
	row_uses_give(&uses, add(1));
	reuses = view_reuses(stub_store);
	MODEL_CHECK(bundle_view_add(&view, stub_store, header + size, NULL) == 0);
	model_thread(add_second);
	model_thread(is_keeping                      ? keep_and_read
		     : strcmp(variant, "count") == 0 ? read_by_count
						     : read_by_use);
}

void scenario_end(void)
{
}
