/*
 * test_whole_arguments.c - which row keeps a launch's arguments, while the rows are made and after,
 * and what is in it.
 */
#include "record/objects/whole_arguments.h"

#include "record/journal/bundle.h"
#include "record/objects/functions.h"
#include "support/check.h"

enum { N_PARAMETERS = 3 };

static struct whole_arguments_row rows[N_WHOLE_ARGUMENTS + 1]; /* by id */
static struct file_header header;
static struct table table = {.header = &header};
static bool is_full; /* no row is made */
static struct function *function;

struct table *bundle_table(enum journal_file kind)
{
	CHECK_EQUAL(kind, JOURNAL_WHOLE_ARGUMENTS);
	return &table;
}

uint32_t table_append(struct table *to, const void *row, uint32_t n)
{
	static const struct whole_arguments_row empty;
	CHECK(to == &table && n == 1 && !memcmp(row, &empty, sizeof(empty)));
	CHECK(header.n_rows < N_WHOLE_ARGUMENTS);
	return is_full ? 0 : (uint32_t)++header.n_rows;
}

void *table_row(const struct table *of, uint32_t id)
{
	CHECK(of == &table && id <= header.n_rows);
	return id ? &rows[id] : NULL;
}

/* Write the first byte of each parameter, in rows that say that they are being written. */
size_t functions_copy_arguments(const struct function *of, void *const *parameters,
				void *const *extra, unsigned char *out, size_t capacity,
				size_t *out_copied)
{
	const struct whole_arguments_row *row =
		(const void *)(out - offsetof(struct whole_arguments_row, bytes));
	CHECK(of == function && parameters && !extra && capacity == sizeof(row->bytes));
	CHECK(row->is_taken && !row->time_ns);
	for (uint32_t i = 0; i < of->n_parameters; i++)
		if (of->parameters[i].offset < capacity)
			out[of->parameters[i].offset] = *(const unsigned char *)parameters[i];
	*out_copied = 12;
	return 99;
}

static void keep(uint32_t tid, uint64_t time_ns)
{
	unsigned char value = 7;
	void *const parameters[N_PARAMETERS] = {&value, &value, &value};
	whole_arguments_keep(function, parameters, NULL, tid, time_ns);
}

static void check_row(uint32_t id, uint32_t tid, uint64_t time_ns)
{
	CHECK(rows[id].tid == tid && rows[id].time_ns == time_ns && !rows[id].is_taken);
	CHECK_EQUAL(rows[id].size, tid ? 12 : 0);
}

/* Each of the first launches makes a row. The rows are then used by turns. */
static void test_turns(void)
{
	for (uint32_t i = 1; i <= N_WHOLE_ARGUMENTS; i++)
		keep(i, 1000 + i);
	CHECK_EQUAL(header.n_rows, N_WHOLE_ARGUMENTS);
	for (uint32_t i = 1; i <= N_WHOLE_ARGUMENTS; i++)
		check_row(i, i, 1000 + i);
	CHECK(!whole_arguments_rows);
	keep(500, 2000);
	check_row(1, 500, 2000);
	CHECK(whole_arguments_rows == &rows[1]);
	keep(501, 2001);
	check_row(2, 501, 2001);
	check_row(3, 3, 1003);
	CHECK_EQUAL(whole_arguments_turn, N_WHOLE_ARGUMENTS + 2);
}

/* A thread that ended while it wrote a row keeps it. */
static void test_taken(void)
{
	rows[3].is_taken = 1;
	keep(502, 2002);
	CHECK(rows[3].is_taken == 1 && rows[3].time_ns == 1003);
	rows[3].is_taken = 0;
	keep(503, 2003);
	check_row(4, 503, 2003);
}

/* Only the gaps are cleared, up to the row's end. */
static void test_gaps(void)
{
	struct whole_arguments_row *row = &rows[5];
	memset(row->bytes, 1, sizeof(row->bytes));
	keep(504, 2004);
	for (size_t i = 0; i < sizeof(row->bytes); i++) {
		bool is_first = i == 0 || i == 16 || i == 32;
		bool is_gap = (i >= 8 && i < 16) || (i >= 20 && i < 32);
		CHECK_EQUAL(row->bytes[i], is_first ? 7 : is_gap ? 0 : 1);
	}
	/* A parameter is after the end: the next row stays. */
	rows[7].time_ns = 77;
	function->n_parameters = 1;
	function->parameters[0] = (struct function_parameter){sizeof(row->bytes) + 9, 1};
	memset(rows[6].bytes, 1, sizeof(rows[6].bytes));
	keep(505, 2005);
	for (size_t i = 0; i < sizeof(rows[6].bytes); i++)
		CHECK_EQUAL(rows[6].bytes[i], 0);
	CHECK_EQUAL(rows[7].time_ns, 77);
}

/* The first launches may find no room, and the later ones then a part of the rows. */
static void test_few_rows(void)
{
	is_full = true;
	keep(1, 1001);
	CHECK(!header.n_rows && whole_arguments_turn == 1);
	is_full = false;
	keep(2, 1002);
	check_row(1, 2, 1002);
	whole_arguments_turn = N_WHOLE_ARGUMENTS;
	keep(3, 1003);
	check_row(1, 3, 1003);
	keep(4, 1004);
	CHECK(header.n_rows == 1 && !whole_arguments_rows);
	check_row(1, 3, 1003);
	table.header = NULL;
	keep(5, 1005);
	CHECK_EQUAL(whole_arguments_turn, N_WHOLE_ARGUMENTS + 3);
}

static void test_rows(void)
{
	test_turns();
	test_taken();
	test_gaps();
}

int main(void)
{
	const struct function_parameter places[N_PARAMETERS] = {{0, 8}, {16, 4}, {32, 8}};
	function = calloc(1, sizeof(*function) + sizeof(places));
	CHECK(function);
	function->n_parameters = N_PARAMETERS;
	memcpy(function->parameters, places, sizeof(places));
	check_in_child(test_rows);
	check_in_child(test_few_rows);
	free(function);
	return 0;
}
